// A test of the page of `stigmergy report`, in headless Chromium with scripts switched off:
//
//   node report.mjs BINARY RESULT.json... [FOLDER]     results of komi runs; FOLDER: screenshots go there

import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launch } from './browser.mjs';

const [binary, ...rest] = process.argv.slice(2);
const results = rest.filter((name) => name.endsWith('.json')), pictures = rest.find((name) => !name.endsWith('.json'));

const looks = {
  light: { viewport: { width: 1280, height: 900 } },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 800 } },
};

// A training loop of eight generations, the fifth of which did not take over, and a rating of some of them.
function loopDocuments() {
  const hash = (number) => `${number}`.repeat(16), rating = (estimate) => ({ estimate, ci95: [estimate - 30, estimate + 35] });
  const losses = (number, size) => ({ policy: 0.4 * size * 0.97 ** number, win: 0.3 - 0.005 * number, score: 2, owner: 0.35,
    best_move: (0.4 + 0.02 * number) * 5 / size });
  const generations = [...Array(8).keys()].map((number) => ({
    number, promoted: number !== 4, network_hash: hash(number), games: 4000, rows: 421000,
    seconds: { selfplay: 400, training: 620, gate: number ? 190 : 0 },
    judged: Object.fromEntries([2, 3, 4, 5, 6, 7, 8, 9, 10].map((size) => [size, losses(number, size)])),
    matches: number ? [5, 7].map((size) => ({ size, games: 200, elo: rating(number === 4 ? -20 : 90 - 9 * number), sprt: null })) : [],
  }));
  const rated = [0, 2, 7];
  return [
    { schema: { name: 'stigmergy-loop', version: 1 }, game: 'stigmergy', seed: '1', generations },
    { schema: { name: 'stigmergy-match', version: 1 }, game: 'stigmergy', size: 8, run: 'ab', komi: 'auto', games: 60, pairs: 30, mean_komi: 1,
      mean_turns: 150, duplicate_share: 0, settings: { players: rated.map((i) => ({ name: `generation-${i}`, network_hash: hash(i) })) },
      ratings: rated.map((i) => ({ player: `generation-${i}`, ...rating(60 * i) })), pairings: [], results: [] },
  ];
}

// An opening book of hexhex-2: the start, the position after b2, and leaves.
function bookDocument() {
  const node = (number, line, children) => ({ node: number, line, games: 4, fair_komi: 6 - number, ci95: [5 - number, 8 - number], exact: false, children });
  const first = [{ move: 'b2', moves: ['b2'], games: 4, fair_komi: 5, ci95: [4, 7], probability: 1 }];
  const book = { parity: 'even', games: 16, different_games: 15, fair_komi: 6, ci95: [5, 8], black_wins_up_to: 6, white_wins_from: 8,
    line: 'b2 c1', positions: 4, first_moves: first, nodes: [
      node(0, '', [{ move: 'b2', node: 1, probability: 1 }, { move: 'c1', node: 2, probability: 0 }]),
      node(1, 'b2', [{ move: 'c1', node: 3, probability: 1 }]), node(2, 'c1'), node(3, 'b2 c1')] };
  return { schema: { name: 'stigmergy-book', version: 1 }, game: 'stigmergy', size: 2, run: 'ab', games: 16,
    player: { simulations: 50, move_time: 0 }, books: [book] };
}

// The positions of a book: one is shown at a time, a click on a move leads on, and back.
async function checkBook(page) {
  const shown = page.locator('.book > article:visible');
  assert.match(await shown.textContent(), /The empty board/);
  await shown.locator('svg a').click();
  assert.equal(await shown.count(), 1);
  assert.match(await shown.textContent(), /b2, White to move/);
  assert.equal(await shown.locator('circle.stone').count(), 1);
  assert.equal(await shown.locator('svg a').count(), 0); // what follows is a leaf
  await shown.locator('a', { hasText: 'Back' }).click();
  assert.match(await shown.textContent(), /The empty board/);
}

// What holds on every screen: all is there, drawn, named, and nothing is wider than the screen.
async function check(page) {
  assert.equal(await page.title(), 'Stigmergy: results');
  const sections = page.locator('section');
  assert.equal(await sections.count(), results.length + 4); // and the atlas, a book, the loop, its ratings
  for (const figure of await page.locator('figure:visible > svg[role=img]').all()) {
    const box = await figure.boundingBox();
    assert.ok(box.width > 200 && box.height > 100);
    assert.ok(await figure.locator('> title').textContent());
    assert.ok(await figure.locator('> desc').textContent());
  }
  for (const caption of ["Black's chance over komi", 'Posterior of the fair komi', 'The ladder'])
    assert.equal(await page.locator('figcaption', { hasText: caption }).count(), results.length);
  for (const caption of ['Elo by generation', "search's best move", 'Policy: cross-entropy', 'Value: cross-entropy'])
    assert.equal(await page.locator('figcaption', { hasText: caption }).count(), 1);
  const shades = await page.locator('.mark[class*="size-"]').evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).fill));
  assert.equal(new Set(shades).size, 9); // a colour for each board size
  assert.equal(await page.locator('circle title', { hasText: 'rated on hexhex-8' }).count(), 3);
  assert.ok(await page.locator('.curve.even').first().isVisible());
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.locator('main > .scroll a').first().click();
  await page.waitForURL(/#result-\d+$/);
  await page.locator('summary', { hasText: 'Numbers by komi' }).first().click();
  assert.ok(await page.locator('details table').first().isVisible());
  await page.locator('#atlas summary').click();
  assert.ok(await page.locator('#atlas details p').first().isVisible());
  for (const caption of ['Fair komi over board size', 'Fair komi over the strength'])
    assert.equal(await page.locator('#atlas figcaption', { hasText: caption }).count(), 1);
  await checkBook(page);
}

const folder = mkdtempSync(join(tmpdir(), 'stigmergy-report-')), file = join(folder, 'report.html');
const browser = await launch();
const grounds = new Set();
try {
  const others = [...loopDocuments(), bookDocument()].map((document, i) => {
    const name = join(folder, `other-${i}.json`);
    writeFileSync(name, JSON.stringify(document));
    return name;
  });
  execFileSync(binary, ['report', '--out', file, ...others, ...results]);
  for (const [name, options] of Object.entries(looks)) {
    // Playwright's own calls still work in a page whose scripts are switched off.
    const context = await browser.newContext({ ...options, javaScriptEnabled: false, offline: true }), page = await context.newPage();
    const problems = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('requestfailed', (request) => problems.push(request.url()));
    await page.goto(`file://${file}`);
    await check(page);
    grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    assert.deepEqual(problems, []);
    if (pictures) await page.screenshot({ path: join(pictures, `report-${name}.png`), fullPage: true });
    await context.close();
    console.log(`ok report, ${name}`);
  }
  assert.equal(grounds.size, 2); // light and dark
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
