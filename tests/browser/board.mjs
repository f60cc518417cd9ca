// Tests of the board in the browser, in headless Chromium:
//
//   node board.mjs BINARY [FOLDER]     the page of `BINARY serve`; FOLDER: screenshots go there
//   node board.mjs PAGE [FOLDER]       the page without a server in the folder PAGE (tools/setup.sh page)
//
// The tests are in board/. Each has a page of its own on one server. They wait for what the page shows, for a time only
// where nothing may change. With ONLY=TEXT in the environment only those run whose names contain the text. After three
// failures the rest is left out: each may wait long for what does not come.

import assert from 'node:assert/strict';
import { launch } from './browser.mjs';
import { Game, PATIENCE, hasServer, pictures, serve } from './board_game.mjs';

const themes = ['playing', 'opponents', 'clocks', 'analysis', 'review', 'files', 'kept', 'appearance', hasServer ? 'served' : 'offline'];
const modules = await Promise.all(themes.map((theme) => import(`./board/${theme}.mjs`)));
const tests = modules.flatMap((module) => Object.entries(module.tests));

async function run(name, test, browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } }), page = await context.newPage();
  const problems = [];
  context.setDefaultTimeout(PATIENCE); // also of pages that a link opens
  page.on('pageerror', (error) => problems.push(error.stack));
  page.on('console', (message) => { if (message.type() === 'error' && !/status of 400/.test(message.text())) problems.push(message.text()); });
  const game = Object.assign(new Game(page), { browser }), begin = Date.now();
  try {
    await page.goto(address);
    await page.waitForSelector('body[data-ready][data-turn]'); // and the board is drawn
    await test(game);
    assert.deepEqual(problems.filter((text) => !game.expects?.test(text)), []);
    console.log(`ok ${name} (${((Date.now() - begin) / 1000).toFixed(1)} s)`);
    return true;
  } catch (error) {
    console.log(`FAILED ${name}: ${error.stack}\n${problems.join('\n')}`);
    if (pictures) await page.screenshot({ path: `${pictures}/failed-${name.replaceAll(' ', '-')}.png` }).catch(() => {});
    return false;
  } finally {
    await context.close();
  }
}

const only = process.env.ONLY ?? '', chosen = tests.filter(([name]) => name.includes(only));
assert.ok(chosen.length, `no test is named '${only}'`);
const { server, address } = await serve();
const browser = await launch();
let failures = 0;
for (const [name, test] of chosen) {
  if (failures < 3) failures += await run(name, test, browser, address) ? 0 : 1;
}
await browser.close();
server.kill();
console.log(failures ? `${failures} failed` : 'all passed');
process.exit(failures ? 1 : 0);
