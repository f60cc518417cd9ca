// Analysis of a position: candidates, chance, variations, chosen moves, links.

import assert from 'node:assert/strict';
import { Game, PATIENCE, pictures } from '../board_game.mjs';

export const tests = {
  // Analysis fills the board and the list, moves with the position, and shows owners.
  async 'analysis'(game) {
    const { page } = game;
    await game.startForTwo(4, 3);
    await page.click('#analyse');
    await page.locator('#candidates tr').nth(2).waitFor({ timeout: PATIENCE });
    await page.locator('.candidate.best').waitFor();
    assert.match(await game.text('#chance-B'), /^Black \d+/);
    const row = await page.evaluate(() => document.querySelector('#candidates tr').getBoundingClientRect().toJSON()); // rows are replaced until one is pointed at
    await page.mouse.move(row.x + row.width / 2, row.y + row.height / 2);
    await page.locator('.count').first().waitFor();
    await page.mouse.move(2, 2);
    await page.click('#heat');
    await page.waitForFunction(() => document.querySelectorAll('.owner').length === 37);
    const first = await page.locator('.candidate.best').getAttribute('cx');
    assert.ok(first);
    await game.play(18);
    await game.shows('#graph-text', /^1\. d4: Black \d+%/);
    await page.locator('.candidate').first().waitFor();
    await game.cell(17).hover(); // the lines of sight alone: the plate would cover candidates
    await page.locator('.ray').first().waitFor({ state: 'attached' });
    assert.equal(await page.locator('.plate').count(), 0);
    await page.click('#analyse');
    await page.waitForFunction(() => !document.querySelector('.candidate'));
    await game.cell(16).hover();
    await page.locator('.plate').waitFor();
    await page.click('#heat');
    await page.click('#back');
    await game.turn(0);
    await page.click('#heat'); // owners need the analysis
    await page.waitForSelector('#analyse[aria-pressed=true]');
  },

  // The rows of the list stay while a mouse is over them, but they are about the position on the board. A finger does not
  // stay anywhere.
  async 'list follows the position'(game) {
    const { page } = game, first = page.locator('#candidates tr').first();
    await page.keyboard.press('Escape');
    await game.openText('3 d4 e5 c3 e4');
    await page.click('#analyse');
    await first.waitFor();
    const { x, y } = await page.evaluate(() => document.querySelector('#candidates tr').getBoundingClientRect().toJSON());
    await page.mouse.move(x + 5, y + 5);
    await page.waitForFunction(() => document.querySelector('#candidates').matches(':hover'));
    await page.evaluate(() => { document.querySelector('#candidates tr').dataset.old = 'old'; });
    await page.keyboard.press('ArrowRight');
    await game.turn(1);
    await page.waitForFunction(() => document.querySelector('#candidates tr') && !document.querySelector('#candidates [data-old]'));
    await page.evaluate(() => {
      document.querySelector('#candidates tr').dataset.old = 'old';
      document.querySelector('#candidates tr').dispatchEvent(new PointerEvent('pointerover', { pointerType: 'touch', bubbles: true }));
    });
    await page.waitForFunction(() => document.querySelector('#candidates tr') && !document.querySelector('#candidates [data-old]'));
  },

  // A row of the list stays while the keyboard is on it: Enter plays its move, and the keyboard goes on at the board.
  async 'list by keyboard'(game) {
    const { page } = game, rows = page.locator('#candidates tr'), state = () => game.text('#search-state');
    await game.startForTwo(5, 0);
    await page.click('#analyse');
    await rows.nth(2).waitFor();
    await page.focus('#patterns');
    await page.keyboard.press('Tab');
    for (let i = 0; i < 2; i++) {
      const before = await state();
      await page.waitForFunction((text) => document.querySelector('#search-state').textContent !== text, before);
    }
    const move = await page.locator('#candidates tr:focus td').first().innerText();
    await page.keyboard.press('Enter');
    await game.turn(1);
    assert.equal(await game.text('#variations'), '');
    await game.shows('#graph-text', `1. ${move}:`);
    assert.equal(await page.evaluate(() => document.activeElement.id), 'board');
  },

  // Screen readers hear of the analysis: its chance and best move, and what a candidate is worth.
  async 'analysis in words'(game) {
    const { page } = game;
    await game.startForTwo(4, 3);
    await page.evaluate(() => {
      window.told = []; // when it is said: an observer hears of it only after all that is drawn then
      const text = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent'), set = function (words) { window.told.push(performance.now()); text.set.call(this, words); };
      Object.defineProperty(document.querySelector('#spoken'), 'textContent', { ...text, set });
    });
    await page.click('#analyse');
    await game.shows('#spoken', /^Black \d+%, best [a-g]\d$/);
    const best = (await game.text('#candidates tr:first-child td:first-child'));
    const width = (kind) => page.locator('#candidate-table').evaluate((table, name) => table[name], kind);
    assert.equal(await width('scrollWidth'), await width('clientWidth')); // what has no room ends with three dots
    await page.waitForSelector(`#board .cell[aria-label^="${best}: empty"][aria-label*="; candidate: "]`);
    assert.match(await page.locator('#board .cell[aria-label*="candidate"]').first().getAttribute('aria-label'), /candidate: \d+(\.\d)?%, (ahead|behind) by \d+\.\d$/);
    await page.click('#analyse');
    await page.waitForFunction(() => !document.querySelector('#board .cell[aria-label*=candidate]'));
    const told = await page.evaluate(() => window.told);
    assert.ok(told.length > 0);
    told.slice(1).forEach((time, i) => assert.ok(time - told[i] >= 4900, JSON.stringify(told)));
  },

  // The names of the colours stay at the ends of the bar, whatever the chance is.
  async 'chance bar'(game) {
    const { page } = game;
    await page.keyboard.press('Escape');
    await game.openText('(;GM[stigmergy]SZ[3]KM[4]SBKV[1];B[c3]SBKV[50];W[e1]SBKV[99])');
    await game.hasBoard(3);
    for (const turn of [0, 1, 2]) {
      await game.turn(turn);
      const [black, bar, white] = await page.evaluate(() => ['B', 'bar', 'W'].map((name) => document.querySelector(`#chance-${name}`).getBoundingClientRect().toJSON()));
      assert.ok(black.right <= bar.left && bar.right <= white.left, JSON.stringify({ black, bar, white }));
      await page.keyboard.press('ArrowRight');
    }
  },

  // A variation: eight turns at most, a cell once with its first turn, a ring on a stone that is flipped, a cross on one
  // that is removed.
  async 'variation'(game) {
    const drawn = (query, turns, mover) => game.page.evaluate(async ([asked, line, colour]) => {
      const [{ Board }, { get, post }] = await Promise.all([import('./board.js'), import('./api.js')]);
      const board = new Board(document.querySelector('#intro-board'), 'intro-'), { variation } = (board.build(await get('api/board/3'), 0), board.layers);
      board.show(await post('api/position', asked));
      board.showVariation(line, colour);
      return [[...variation.querySelectorAll('text')].map((text) => text.textContent).join(' '), ...['.ghost', '.flip-B', '.flip-W', '.remove'].map((kind) => variation.querySelectorAll(kind).length)];
    }, [query, turns, mover]);
    const stones = { size: 3, initialStones: [['B', 'c3'], ['W', 'a1']] };
    assert.deepEqual(await drawn(stones, ['e1', 'c3x', 'e1x', 'pass', 'c3x', 'e2', 'a1x', 'e3', 'd1', 'd2'], 'B'), ['1 2 6 7 8', 5, 1, 1, 0]);
    assert.deepEqual(await drawn({ game: 'sgolte', ...stones }, ['d3xa1>e1', 'a2'], 'B'), ['1 1 2', 3, 0, 0, 1]);
  },

  // Moves to be searched alone or left out are chosen by clicks; the choice ends with the position, and is in the link.
  async 'chosen moves'(game) {
    const { page } = game;
    const listed = (wanted) => page.waitForFunction((text) => [...document.querySelectorAll('#candidates tr td:first-child')].map((cell) => cell.textContent).sort().join(' ') === text, wanted);
    await game.startForTwo(3, 1);
    await game.play(9);
    await page.click('#only'); // switches the analysis on
    await game.shows('#narrow-text', 'Choose the moves to search');
    await game.cell(0).click();
    await game.cell(1).click();
    await listed('e1 e2');
    await game.shows('#narrow-text', 'Searched: only e1, e2.');
    assert.equal(await page.locator('.chosen .only').count(), 2);
    assert.equal(await game.played, 1);
    if (pictures) await page.screenshot({ path: `${pictures}/chosen.png` });
    await page.click('#not');
    await game.cell(1).click();
    await listed('e1');
    await game.cell(9).click();
    await game.shows('#message.error', 'c3:');
    await page.click('[data-action=take-button]');
    await game.shows('#narrow-text', 'only e1; not e2, take-button');
    await page.reload();
    await game.shows('#narrow-text', 'Searched: only e1; not e2, take-button.');
    await page.locator('#narrow-text button').click();
    await page.locator('#narrow-text').waitFor({ state: 'hidden' });
    await page.click('#analyse');
    await page.locator('#candidates tr').nth(3).waitFor();
    await page.click('#not');
    await game.cell(0).click();
    await page.waitForFunction(() => document.querySelector('.left-out'));
    await page.click('#not');
    await game.play(0); // a click plays again
    assert.equal(await page.locator('.left-out').count(), 0);
    assert.ok(!page.url().includes('not='));
    await page.locator('#candidates tr').first().waitFor();
  },

  // A link holds what the analysis has found: another browser shows it without a search.
  async 'analysis in links'(game) {
    const { page } = game;
    await game.startForTwo(4, 3);
    await game.play(18);
    await page.click('#analyse');
    await page.locator('#candidates tr').nth(4).waitFor();
    await game.shows('#search-state', /[kM] sim|proven/); // enough for a variation
    await page.click('#analyse');
    await page.click('#share');
    const chanceOf = async ({ page: at }) => parseFloat((await at.locator('#chance-B').textContent()).slice('Black '.length));
    const link = await page.inputValue('#share-text'), chance = await chanceOf(game);
    assert.ok(link.length < 600, link);
    const other = new Game(await (await page.context().browser().newContext()).newPage());
    await other.page.goto(link);
    await other.turn(1);
    await other.page.locator('#candidates tr').nth(4).waitFor();
    await other.page.waitForSelector('body[data-ready]');
    assert.equal(await other.text('#message'), '');
    assert.match(await other.text('#candidates tr:first-child .pv'), /^[a-g]\d( [a-g]\dx?)*$/); // how the game may go on
    assert.ok(Math.abs(await chanceOf(other) - chance) <= 1); // a link rounds it
    assert.equal(await other.page.getAttribute('#analyse', 'aria-pressed'), 'false');
    for (const found of ['x', '2_1_1', '0.6_1e9_1e9', '0.5_1_1~d5', '0.5_1_1~z9_0.5_1_1']) { // nonsense is passed over
      await other.page.goto(link.replace(/found=.*/, `found=${found}`));
      await other.page.waitForFunction(() => !location.hash.includes('found=')); // it has been read
    }
    assert.ok(Math.abs(await chanceOf(other) - chance) <= 1); // a link rounds it
    await other.page.context().close();
  },

  // While analysis is on, the whole game is searched: all positions get into the graph.
  async 'whole game analysed'(game) {
    const { page } = game;
    await game.openMistakes();
    await page.click('#analyse');
    await page.waitForFunction(() => document.querySelector('.graph-chance')?.getAttribute('points').split(' ').length === 8, null, { timeout: PATIENCE });
    assert.deepEqual(await page.locator('#graph-chances span').allInnerTexts(), ['100%', '50%', '0%']);
    assert.deepEqual(await page.locator('#graph-turns span').allInnerTexts(), ['0', '2', '4', '6']);
    assert.match((await page.locator('#graph-leads span').allInnerTexts()).join(' '), /^B\+(\d+) 0 W\+\1$/);
    assert.equal(await page.locator('#accuracies tr').count(), 2);
    assert.equal(await page.isVisible('#accuracy-of'), false);
    assert.equal(await page.locator('#mistakes li').count(), 0); // they are for a review to confirm
    await page.click('#analyse');
  },

  // Analysis rests while a position is set up, so that its marks hide no stone; afterwards it goes on.
  async 'set up and analysis'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await page.click('#analyse');
    await page.click('#heat');
    await page.locator('.owner').first().waitFor();
    await page.click('#set-up');
    await game.cell(9).click();
    await page.waitForSelector('#cell-9[aria-label*="black stone"]');
    assert.equal(await page.locator('.candidate, .owner, #candidates tr').count(), 0);
    await page.keyboard.press('p'); // no turn is played meanwhile
    await page.click('#set-up-done');
    await page.waitForSelector('#cell-9[aria-label*="black stone"]');
    await page.locator('.candidate').first().waitFor();
    assert.equal(await game.played, 0);
    await page.click('#set-up');
    await page.waitForFunction(() => !document.querySelector('.candidate'));
    await page.click('#set-up-cancel');
    await page.locator('.candidate').first().waitFor();
  },
};
