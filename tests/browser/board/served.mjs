// What only the page of a server does: requests that are late, lost or refused, many tabs, a book, a token.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { Game, PATIENCE, agreed, binary, pictures, serve } from '../board_game.mjs';

// Answers the next requests of a path, `times` of them, by a function. (Playwright's own `times` may lose the next route: it
// takes an old one away while the new one is set.)
function routeNext(page, path, answer, times = 1) {
  return page.route(`**/${path}`, (route) => (times-- > 0 ? answer(route) : route.fallback()));
}

// Holds a request of a path back, the next one or the one after `others`: {asked: when it has come, release, end: how that
// one ends, "finished" or "failed"}.
async function hold(page, path, others = 0) {
  let come, release, held, before = others;
  const asked = new Promise((resolve, reject) => {
    come = resolve;
    setTimeout(reject, PATIENCE, new Error(`no request of ${path} has come`)).unref();
  });
  asked.catch(() => { /* a test that waits for it says so */ });
  const released = new Promise((resolve) => { release = resolve; });
  const end = Promise.race(['finished', 'failed'].map((kind) => page.waitForEvent(`request${kind}`, (request) => request === held).then(() => kind)));
  end.catch(() => { /* a test that fails before it asks for the end says why */ });
  await routeNext(page, path, async (route) => {
    if (before-- > 0) return route.continue();
    held = route.request();
    come();
    await released;
    await route.continue().catch(() => { /* given up */ });
  }, others + 1);
  return { asked, release, end };
}

export const tests = {
  // A stone is there before the server has answered; where it refuses the move, the stone goes.
  async 'stone at once'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    const late = await hold(page, 'api/position');
    await game.cell(9).click();
    await late.asked;
    await page.locator('.stone-B:not(.ghost)').waitFor();
    assert.equal(await game.played, 0);
    late.release();
    await game.turn(1);
    assert.equal(await page.locator('.stone:not(.ghost)').count(), 1);
    await routeNext(page, 'api/position', (route) => route.fulfill({ status: 400, json: { error: 'no such move' } }));
    await game.cell(4).click();
    await game.shows('#message', 'no such move');
    assert.equal(await page.locator('.stone:not(.ghost)').count(), 1);
    await game.play(4);
  },

  // Two kept games are opened, and the first one comes late: the second one is there, and both are kept as they were.
  async 'late game'(game) {
    const { page } = game, listed = page.locator('#games-list .game-of');
    for (const [size, cell] of [[3, 9], [4, 18], [5, 30]]) {
      await game.startForTwo(size, 0);
      await game.play(cell);
    }
    await page.click('#games');
    const names = await listed.locator('b').allInnerTexts(), late = await hold(page, 'api/position');
    await listed.nth(2).click();
    await late.asked;
    await page.click('#games');
    await listed.nth(1).click();
    await game.began(4);
    late.release();
    await late.end;
    await game.play(0);
    assert.equal(await page.locator('#board .cell').count(), 37);
    await page.click('#games');
    assert.deepEqual(await listed.locator('b').allInnerTexts(), [names[1].replace('1 turn', '2 turns'), names[0], names[2]]);
  },

  // A page that is left before its game is there keeps it all the same.
  async 'left early'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    await page.click('#back');
    await game.turn(1);
    const late = await hold(page, 'api/position');
    await page.reload();
    await late.asked;
    await page.reload();
    late.release();
    await game.turn(1);
    assert.equal(await page.locator('.turn').count(), 3);
  },

  // A dialog that is closed while the server is asked gives that up: nothing comes of it later.
  async 'closed dialogs'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9);
    const komi = await hold(page, 'api/komi');
    await page.click('#new');
    await page.check('#new-dialog [name=opponent][value=computer]');
    await page.check('#new-dialog [name=way][value=computer]');
    await page.click('#new-start');
    await komi.asked;
    await page.keyboard.press('Escape');
    komi.release();
    assert.equal(await komi.end, 'failed');
    const load = await hold(page, 'api/load');
    await page.click('#open');
    await page.fill('#open-text', '0 c3 a1');
    await page.click('#open-dialog button.primary');
    await load.asked;
    await page.click('#open-dialog [data-close]');
    load.release();
    assert.equal(await load.end, 'failed');
    await page.click('#new');
    assert.equal(await game.text('#new-start'), 'Start');
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog[open]').count(), 0);
    assert.equal(await game.played, 1);
  },

  // The cells of a board that was left come late: they do not replace those of the one that is there.
  async 'late board'(game) {
    const { page } = game, late = await hold(page, 'api/board/7');
    await page.evaluate(() => { location.hash = '#game=stigmergy&size=7&komi=0'; });
    await late.asked;
    await page.evaluate(() => { location.hash = '#game=stigmergy&size=3&komi=0&moves=c3'; });
    await game.turn(1);
    await page.evaluate(() => {
      window.built = 0;
      new MutationObserver(() => { window.built++; }).observe(document.querySelector('#board'), { childList: true });
    });
    late.release();
    await late.end;
    await game.play(0);
    assert.equal(await page.evaluate(() => window.built), 0);
  },

  // The first lesson has no board yet: keys mean nothing, and then the cell cursor is there.
  async 'keys before the board'(game) {
    const { page } = game;
    await page.click('#new-dialog [data-close]');
    await page.click('#help');
    const late = await hold(page, 'api/board/4');
    await page.click('#help-intro');
    await late.asked;
    await page.keyboard.press('ArrowRight');
    late.release();
    await page.waitForSelector('#intro-board[data-lesson="stigmergy 1"]');
    await page.keyboard.press('ArrowRight');
    await game.shows('#intro-cell', /^d4: /);
  },

  // A lesson is opened twice, and the first opening comes late: it does not take the answer away that was given meanwhile.
  async 'lesson opened twice'(game) {
    const { page } = game, first = '#intro-steps li:first-child button';
    await page.click('#new-dialog [data-close]');
    await page.click('#help');
    await page.click('#help-intro');
    await page.waitForSelector('#intro-board[data-lesson="stigmergy 1"]');
    const late = await hold(page, 'api/position'), before = await page.getAttribute('#intro-board', 'data-answers');
    await page.click(first);
    await late.asked;
    await page.click(first);
    await page.waitForSelector(`#intro-board:not([data-answers="${before}"])`);
    await page.click('#intro-cell-0 .ground');
    await game.shows('#intro-answer', /./);
    const said = await game.text('#intro-answer');
    late.release();
    assert.equal(await late.end, 'finished');
    await page.waitForTimeout(300);
    assert.equal(await game.text('#intro-answer'), said);
  },

  // An answer to a mistake cannot be judged: the page says why, and another one may be tried.
  async 'refused judgement'(game) {
    const { page } = game, turns = 'e5 d3 f4 c5 g3 e7'.split(' ');
    game.expects = /status of 429/;
    await page.keyboard.press('Escape');
    await game.keptReview(turns, [0.04, 0.1, 0.2, 0.05, 0.079, 0.3], turns.map(() => 1));
    await page.click('#learn');
    await game.turn(1);
    await routeNext(page, 'api/search', (route) => route.fulfill({ status: 429, contentType: 'application/json', body: '{"error":"8 analyses of yours are open"}' }));
    await game.cell(0).click();
    await game.shows('#learn-text', /^i1 was not judged: 8 analyses of yours are open. Try another one.$/);
    await game.turn(1);
  },

  // Who looks at another position while an answer is judged stays there.
  async 'late judgement'(game) {
    const { page } = game, turns = 'e5 d3 f4 c5 g3 e7'.split(' ');
    await page.keyboard.press('Escape');
    await game.keptReview(turns, [0.04, 0.1, 0.2, 0.05, 0.079, 0.3], turns.map(() => 1));
    await page.click('#learn');
    await game.turn(1);
    const late = await hold(page, 'api/search');
    await game.cell(0).click();
    await late.asked;
    await page.keyboard.press('Home');
    await game.turn(0);
    late.release();
    await game.shows('#learn-text', /^i1 loses \d+%.* Try another one.$/);
    assert.deepEqual([await game.played, await page.locator('.turn').count()], [0, 7]);
  },

  // Another position was asked for and is not there yet: a click is no turn in it, for it was about the one that is shown.
  async 'click before the position'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    const late = await hold(page, 'api/position');
    await page.click('#back');
    await late.asked;
    await game.cell(4).click();
    late.release();
    await game.turn(1);
    assert.equal(await page.locator('.turn').count(), 3);
    assert.equal(await page.locator('.stone:not(.ghost)').count(), 1);
  },

  // The second of two quick clicks is no turn, for it was about the position before; Undo takes back what is not there yet.
  async 'clicks before the answer'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    const late = await hold(page, 'api/position');
    await game.cell(9).click();
    await late.asked;
    await game.cell(4).click();
    assert.equal(await page.locator('.stone-B:not(.ghost)').count(), 1);
    late.release();
    await game.turn(1);
    await page.waitForSelector('#cell-9[aria-label*="black stone"]');
    const later = await hold(page, 'api/position');
    await game.cell(0).click();
    await later.asked;
    await page.keyboard.press('u');
    await page.waitForFunction(() => document.querySelectorAll('.stone:not(.ghost)').length === 1);
    later.release();
    await later.end;
    await game.play(4);
    assert.equal(await page.locator('.turn').count(), 3);
  },

  // Nobody resigns in a position that is not there yet: who is to move there, the page does not know.
  async 'resign before the position'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9);
    const late = await hold(page, 'api/position');
    await page.click('#back');
    await late.asked;
    await page.click('#resign');
    late.release();
    await game.turn(0);
    await game.shows('#status', /^Black to move$/);
  },

  // Undo leads to a person's turn, also from a position that is not there yet.
  async 'undo before the position'(game) {
    const { page } = game, turns = 'e5 a1 d4 b2'.split(' ');
    await page.addInitScript((text) => sessionStorage.setItem('stigmergy-game', text), JSON.stringify({
      settings: { game: 'stigmergy', size: 5, komi: 0 }, seats: { B: 0, W: 1 }, names: { B: 'You', W: '' }, current: 4,
      nodes: turns.map((turn, i) => ({ parent: i, turn })),
    }));
    await page.goto(page.url().split('#')[0]);
    await game.turn(4);
    const late = await hold(page, 'api/position');
    await page.click('#back');
    await late.asked;
    await page.click('#undo');
    late.release();
    await game.turn(2);
    await game.shows('#status', /^Your turn$/);
  },

  // The computer's move is late: until it is there, the computer thinks. What begins to think anew gives it up.
  async 'late move of the computer'(game) {
    const { page } = game, late = await hold(page, 'api/position', 2); // after those of the new game and of the click
    await game.start({ size: 3, level: 1, komi: 0, checks: [agreed, { name: 'side', value: 'B' }] });
    await game.began(3);
    await game.cell(9).click();
    await late.asked;
    await game.cell(4).click();
    await game.shows('#message', 'The computer is thinking. Undo stops it.');
    const search = await hold(page, 'api/search');
    await page.click('#players');
    await page.click('#players-dialog button.primary');
    await search.asked;
    late.release();
    await late.end;
    search.release();
    await game.turn(2);
    await page.waitForTimeout(300); // nobody plays a second move
    assert.deepEqual([await game.played, await game.text('#status'), await game.text('#message')], [2, 'Your turn', '']);
  },

  // A comment is about the position that is shown, also while another one was asked for.
  async 'comment before the position'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9);
    await page.fill('#comment', 'about one');
    await game.play(0);
    await page.fill('#comment', 'about two');
    const late = await hold(page, 'api/position');
    await page.click('#back');
    await late.asked;
    await page.fill('#comment', 'about two!');
    late.release();
    await game.turn(1);
    assert.equal(await page.inputValue('#comment'), 'about one');
    await page.click('#forward');
    await game.turn(2);
    assert.equal(await page.inputValue('#comment'), 'about two!');
  },

  // A turn is made when it is played, however long the server takes; where it is refused, the clock goes on.
  async 'clock and a slow server'(game) {
    const { page } = game;
    await page.locator('#new-dialog').waitFor();
    await game.stopTime();
    await game.setClock('#new-dialog', 'byoyomi', { minutes: 0, periods: 1, byoyomi: 3 });
    await game.start({ size: 3, komi: 0, checks: [{ name: 'opponent', value: 'person' }, agreed] });
    await game.began(3);
    await page.clock.runFor(1000);
    const late = await hold(page, 'api/position');
    await game.cell(9).click();
    await late.asked;
    await page.clock.runFor(4000);
    await game.shows('#player-B .clock', /^2\.0$/);
    late.release();
    await game.turn(1);
    assert.deepEqual([await game.text('#player-B .clock'), await game.text('#status')], ['3.0', 'White to move']);
    await page.clock.runFor(1000);
    let refuse;
    const refused = new Promise((resolve) => { refuse = resolve; });
    const refusal = { status: 400, json: { error: 'no such move' } };
    await routeNext(page, 'api/position', (route) => refused.then(() => route.fulfill(refusal)));
    await game.cell(4).click();
    await page.clock.runFor(4000);
    refuse();
    await game.shows('#message', 'no such move');
    await game.shows('#player-W .clock', /^2\.0$/);
    await page.clock.runFor(500);
    await game.shows('#player-W .clock', /^1\.5$/);
  },

  // A comment that somebody writes while the computer thinks is about the position before its move, to the last letter.
  async 'comment while the computer thinks'(game) {
    const { page } = game;
    await game.start({ size: 3, level: 1, komi: 0, checks: [agreed, { name: 'side', value: 'B' }] });
    await game.began(3);
    const search = await hold(page, 'api/search');
    await game.cell(9).click();
    await search.asked;
    await page.click('#comment');
    await page.keyboard.type('my ');
    search.release();
    await game.turn(2);
    await page.keyboard.type('stone');
    assert.equal(await page.inputValue('#comment'), 'my stone');
    await page.keyboard.press('Tab');
    assert.equal(await page.inputValue('#comment'), '');
    await page.click('#back');
    await game.turn(1);
    assert.equal(await page.inputValue('#comment'), 'my stone');
    await page.click('#comment');
    await page.keyboard.type('!');
    await game.cell(4).hover(); // the wheel leads elsewhere, and leaves the field as it is
    await page.mouse.wheel(0, -100);
    await game.turn(0);
    assert.equal(await page.inputValue('#comment'), '');
  },

  // The server does not take the computer's move: the page says so, and the computer does not seem to think on.
  async 'refused move'(game) {
    const { page } = game;
    game.expects = /status of 500/;
    await game.start({ size: 3, level: 1, komi: 0, checks: [agreed, { name: 'side', value: 'B' }] });
    await game.began(3);
    let orders = 0;
    await routeNext(page, 'api/position', (route) => (orders++ ? route.fulfill({ status: 500, json: { error: 'out of memory' } }) : route.continue()), 2);
    await game.cell(9).click();
    await game.shows('#message.error', 'out of memory');
    assert.equal(await game.text('#status'), "The computer's turn");
    await page.click('#resume');
    await game.turn(2);
  },

  // A step that the server refuses leaves everything as it is, and says why.
  async 'refused step'(game) {
    const { page } = game, error = page.locator('#message.error');
    const shown = () => page.evaluate(() => ['status', 'tree', 'variations', 'take-back', 'actions'].map((id) => document.getElementById(id).outerHTML));
    game.expects = /status of 503/;
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    await page.keyboard.press('ArrowLeft');
    await game.turn(1);
    await game.play(18, 1);
    const before = await shown(), saved = await game.sgf(/e2/);
    await page.route('**/api/position', (route) => route.fulfill({ status: 503, json: { error: 'out of memory' } }));
    for (const step of ['ArrowLeft', 'Home', 'u', '#resign', '#cut', '#tree .turn >> nth=2']) {
      if (step.startsWith('#')) await page.click(step);
      else await page.keyboard.press(step);
      await error.filter({ hasText: 'out of memory' }).waitFor();
      assert.deepEqual(await shown(), before, step);
      assert.equal(await game.sgf(/e2/), saved, step);
      await error.evaluate((line) => line.replaceChildren());
    }
    await page.unroute('**/api/position');
    await game.play(15);
    assert.match(page.url(), /moves=c3\.a3\.e2\.b4$/);
  },

  // So it is for the steps to a mistake: none is to be mended, and nobody is told to.
  async 'refused mistake'(game) {
    const { page } = game;
    game.expects = /status of 503/;
    await game.keptReview(['a1', 'a2', 'a3'], [0.01, 0.4, 0.02], [0, 4, 0], { better: 'c3' });
    await page.route('**/api/position', (route) => route.fulfill({ status: 503, json: { error: 'out of memory' } }));
    await page.click('#mistakes button:has-text("Retry")');
    await game.shows('#message.error', 'out of memory');
    await page.click('#learn');
    await page.waitForTimeout(300);
    await game.shows('#message.error', 'out of memory');
    assert.equal(await page.isVisible('#learn-panel'), false);
    await page.unroute('**/api/position');
    await page.click('#learn');
    await game.shows('#learn-text', '1 of 1: White played a2 here');
    await game.turn(1);
  },

  // Where the game of a tab is refused, the page says so and forgets nothing: it is there when the page is loaded again.
  async 'refused reload'(game) {
    const { page } = game;
    game.expects = /status of 503/;
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    await routeNext(page, 'api/position', (route) => route.fulfill({ status: 503, json: { error: 'out of memory' } }));
    await page.reload();
    await game.shows('#message.error', 'The game of this tab cannot be opened: out of memory');
    assert.equal(await page.locator('#new-dialog').isVisible(), false);
    await page.reload();
    await game.turn(2);
  },

  // A text that comes when something else has been chosen does not replace it.
  async 'late text'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9);
    const late = await hold(page, 'api/save');
    await page.click('#save');
    for (const button of ['#save-file', '#save-copy']) assert.equal(await page.isDisabled(button), true);
    assert.equal(await page.getAttribute('#save-text', 'placeholder'), 'Waiting for the text…');
    await page.check('#save-dialog input[value=svg]');
    await page.locator('#save-picture').waitFor();
    late.release();
    assert.equal(await late.end, 'finished');
    await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 300); })); // then the page has it, too
    assert.equal(await page.inputValue('#save-text'), '');
    const download = page.waitForEvent('download');
    await page.click('#save-file');
    assert.match(readFileSync(await (await download).path(), 'utf8'), /^<svg/);
  },

  // Analysis goes on until it is switched off, also after the position has been looked at for a while.
  async 'analysis goes on'(game) {
    const { page } = game;
    await game.startForTwo(8, 3);
    const requests = [], isSearch = (request, method) => request.method() === method && /\/api\/search/.test(request.url());
    page.on('request', (request) => { if (isSearch(request, 'POST')) requests.push(request.postDataJSON()); });
    await page.click('#analyse');
    await page.locator('.candidate.best').waitFor();
    assert.ok(requests[0].maxTime >= 24 * 3600);
    const sims = () => page.evaluate(() => document.querySelector('#search-state').textContent);
    for (let i = 0; i < 3; i++) {
      const before = await sims();
      await page.waitForFunction((text) => document.querySelector('#search-state').textContent !== text, before);
    }
    assert.equal(requests.length, 1);
    const ended = page.waitForRequest((request) => isSearch(request, 'DELETE')); // so the server stops
    await page.click('#analyse');
    await ended;
  },

  // Who goes on before the server has named a search leaves none behind: the places for analyses do not run out.
  async 'running through positions'(game) {
    const { page } = game, orders = new EventEmitter();
    await game.startForTwo(4, 0);
    await game.openText('0 d4 c3 e5 b2 f4 c5 b4 e3 d6 c4');
    await page.route('**/api/search', async (route) => {
      if (!/"id":"look-/.test(route.request().postData())) return route.continue();
      const response = await route.fetch();
      orders.emit('order', () => route.fulfill({ response }).catch(() => { /* the page does not want it */ }));
    });
    let order = once(orders, 'order');
    await page.click('#analyse');
    for (let turn = 1; turn <= 10; turn++) {
      const [answer] = await order;
      order = once(orders, 'order');
      await page.keyboard.press('ArrowRight');
      await game.turn(turn);
      await answer();
    }
    const [answer] = await order;
    await answer();
    await page.locator('.candidate, #message.error:not(:empty)').first().waitFor({ timeout: PATIENCE });
    assert.deepEqual(await page.locator('#message.error:not(:empty)').allInnerTexts(), []);
  },

  // An answer that is lost on its way comes again: the computer moves, and after one search.
  async 'lost answers'(game) {
    const { page } = game, lost = [];
    let searches = 0;
    game.expects = /Failed to load resource: net::ERR_/;
    await page.route('**/api/search', (route) => { searches++; return route.continue(); });
    await page.route('**/api/search/*', async (route) => {
      const response = await route.fetch(), kind = response.status() === 204 ? 'end' : (await response.body()).length ? 'move' : 'nothing';
      if (lost.includes(kind)) return route.fulfill({ response });
      lost.push(kind);
      return route.abort('connectionreset');
    });
    await game.start({ size: 3, level: 1, komi: 0, checks: [agreed, { name: 'side', value: 'W' }] });
    await game.turn(1);
    await page.locator('#connection').waitFor({ state: 'hidden' });
    assert.ok(lost.includes('move') && lost.includes('end'));
    assert.equal(searches, 1);
  },

  // The server may have no place for a search: the page asks again.
  async 'refused search'(game) {
    const { page } = game;
    let orders = 0;
    game.expects = /status of 429/;
    await page.route('**/api/search', (route) => (orders++ ? route.continue() : route.fulfill({ status: 429, contentType: 'application/json', body: '{"error":"8 analyses of yours are open"}' })));
    await game.startForTwo(3, 0);
    await page.click('#analyse');
    await page.locator('.candidate').first().waitFor({ timeout: PATIENCE });
    assert.ok(orders > 1);
  },

  // A server that was started anew knows no search of before, and may have no place for it now: the page asks again.
  async 'refused search after a restart'(game) {
    const { page } = game;
    let orders = 0;
    game.expects = /status of 4(04|29)/;
    await page.route('**/api/search', (route) => (++orders === 2 ? route.fulfill({ status: 429, json: { error: '8 analyses of yours are open' } }) : route.continue()));
    await game.startForTwo(8, 3);
    await page.click('#analyse');
    await page.locator('.candidate').first().waitFor({ timeout: PATIENCE });
    const again = page.waitForResponse((response) => /\/api\/search$/.test(response.url()) && response.ok());
    let lost;
    await routeNext(page, 'api/search/*', (route) => {
      lost = route.request().url().split('?')[0];
      return route.fulfill({ status: 404, json: { error: 'there is no such search' } });
    });
    await again;
    assert.equal(orders, 3);
    assert.deepEqual(await page.locator('#message.error:not(:empty)').allInnerTexts(), []);
    await page.evaluate((search) => fetch(search, { method: 'DELETE' }), lost); // the server does know it: its place is free again
  },

  // A browser opens at most six connections to a server, and a server allows a visitor so many searches: six tabs analyse
  // games of ten turns, and a seventh plays one and analyses another.
  async 'seven tabs'(game) {
    const { page } = game, { server, address } = await serve(); // which has no search that an earlier page has left
    game.expects = /status of 429/; // there may be a search too many until one that was left has ended
    try {
      await page.goto(address);
      await page.waitForSelector('body[data-ready]');
      const tabs = await Promise.all([0, 2, 4, 6, 8, 10].map(async (komi) => {
        const tab = new Game(await page.context().newPage());
        await tab.page.goto(`${page.url().split('#')[0]}#game=stigmergy&size=5&komi=${komi}&moves=d4.c3.e5.b2.f4.c5.b4.e3.d6.c4`);
        await tab.page.waitForSelector('body[data-ready]');
        return tab;
      }));
      await Promise.all(tabs.map((tab) => tab.page.click('#analyse')));
      await Promise.all(tabs.map((tab) => tab.page.locator('.candidate').first().waitFor({ timeout: PATIENCE })));
      const sims = (tab) => tab.page.locator('#search-state').innerText();
      await game.startForTwo(3, 0);
      await game.play(9, 0);
      await game.openText('2 c3 a1 c4 a2');
      await page.keyboard.press('End');
      await game.turn(4);
      await page.click('#analyse');
      await page.locator('.candidate').first().waitFor({ timeout: PATIENCE });
      const graphHas = (tab, least) => tab.page.waitForFunction((points) => document.querySelector('.graph-chance')?.getAttribute('points').split(' ').length >= points, least, { timeout: PATIENCE });
      for (const tab of [...tabs, game]) { // they take turns in searching their games
        await graphHas(tab, 2);
        assert.deepEqual(await tab.page.locator('#message.error:not(:empty)').allInnerTexts(), []);
      }
      const before = await sims(tabs[0]);
      await tabs[0].page.waitForFunction((text) => document.querySelector('#search-state').textContent !== text, before);
      await Promise.all(tabs.map((tab) => tab.page.close()));
      await graphHas(game, 5);
    } finally {
      server.kill();
    }
  },

  // The server has an opening book of hexhex-3: a panel lists its moves in the position on the board, also in one that
  // is rotated, and a click plays one, and so does Enter, which gives the board the keyboard. A finger's first tap shows how it
  // goes on. Other boards have no panel, and neither has a server without a book.
  async book(game) {
    const { page } = game, folder = mkdtempSync(`${tmpdir()}/board-`), file = `${folder}/book.json`;
    const told = (turn) => page.locator(`#book-panel[data-turn="${turn}"]`).waitFor();
    await game.startForTwo(3, 4);
    assert.ok(await page.locator('#book-panel').isHidden());
    execFileSync(binary, ['book', '--size', '3', '--sims', '5', '--games', '200', '--leaf-games', '4', '--solver-nodes', '0', '--parity', 'even',
      '--player', '{"network": "none"}', '--out', file], { stdio: 'ignore' });
    const [start] = JSON.parse(readFileSync(file)).books[0].nodes, first = start.children[0].move;
    const { server, address } = await serve('--book', file);
    let again = null; // without a book
    game.expects = /Failed to load resource: (net::ERR_|the server responded with a status of (404|500))/;
    try {
      await page.goto(address);
      await told(0); // of the game that is there at first
      await page.evaluate(() => { delete document.querySelector('#book-panel').dataset.turn; });
      await game.startForTwo(3, 4);
      await told(0);
      await game.shows('#book-value', /^fair komi −?\d/);
      assert.deepEqual(await page.locator('#book-moves td:first-child').allInnerTexts(), start.children.map(({ move }) => move));
      const best = page.locator('#book-moves .best');
      await best.hover();
      assert.equal(await page.locator('.variation .stone-B').count(), 1);
      if (pictures) await page.screenshot({ path: `${pictures}/book.png` });
      await best.click();
      await game.shows('#graph-text', `1. ${first}`);
      await told(1);
      await page.locator('#book-moves tr').first().press('Enter');
      await told(2);
      assert.equal(await page.evaluate(() => document.activeElement.id), 'board');
      await page.click('#undo');
      await told(1);
      await page.click('#undo');
      await told(0);
      const tap = () => best.evaluate((row) => { row.dispatchEvent(new PointerEvent('click', { pointerType: 'touch', bubbles: true })); });
      await tap();
      await game.shows('#message', `How ${first} goes on.`);
      assert.equal(await page.locator('#book-panel').getAttribute('data-turn'), '0');
      await tap();
      await told(1);
      const found = [];
      for (const corner of [0, 18]) { // e1 and a3, images of each other
        await page.click('#undo');
        await told(0);
        await game.play(corner);
        await told(1);
        found.push(await page.locator('#book-panel :is(#book-value, td:not(:first-child))').allInnerTexts());
      }
      assert.ok(found[0].length > 5);
      assert.deepEqual(found[0], found[1]);
      await game.play(16, 7, 2);
      await game.shows('#book-text', /^Not in the book\.$/);
      assert.ok(await page.locator('#book-table').isHidden());
      await game.startForTwo(3, 5);
      await game.shows('#book-text', 'which has only even komi');
      await game.startForTwo(4, 4);
      assert.ok(await page.locator('#book-panel').isHidden());
      await game.startForTwo(3, 4);
      await told(0);
      await page.route('**/api/book', (route) => route.fulfill({ status: 500, json: { error: 'it is closed' } }));
      await game.play(9);
      await game.shows('#book-text', 'The book does not answer: it is closed.');
      assert.equal(await page.locator('#book-moves tr').count(), 0);
      await page.unroute('**/api/book');
      const ended = once(server, 'exit');
      server.kill();
      await ended; // its port is free
      again = (await serve('--port', new URL(address).port)).server;
      await game.play(0);
      await page.locator('#book-panel').waitFor({ state: 'hidden' });
      assert.equal(await game.text('#message'), '');
    } finally {
      server.kill();
      again?.kill();
      rmSync(folder, { recursive: true });
    }
  },

  // The server is killed and comes back: the page says so, and goes on with the analysis and with what was clicked.
  async 'server gone'(game) {
    const { page } = game, { server, address } = await serve(), port = new URL(address).port;
    game.expects = /Failed to load resource: (net::ERR_|the server responded with a status of 404)/;
    let again = null;
    try {
      await page.goto(address);
      await page.waitForSelector('body[data-ready]');
      await game.startForTwo(3, 0);
      await game.play(9);
      await game.cell(9).click();
      await game.shows('#message.error', 'c3:');
      await game.play(0);
      assert.equal(await game.text('#message'), ''); // it was about the position before
      await game.startForTwo(7, 3);
      await page.click('#analyse');
      await page.locator('.candidate').first().waitFor({ timeout: PATIENCE });
      const ended = once(server, 'exit');
      server.kill();
      await game.shows('#connection', 'The server is gone. Trying again');
      await game.cell(40).click();
      assert.equal(await game.played, 0);
      await ended; // its port is free
      again = (await serve('--port', port)).server;
      await game.turn(1);
      await page.locator('#connection').waitFor({ state: 'hidden' });
      await game.shows('#candidates', /./);
      await page.locator('.candidate').first().waitFor({ timeout: PATIENCE });
      if (pictures) await page.screenshot({ path: `${pictures}/back.png` });
    } finally {
      server.kill();
      again?.kill();
    }
  },

  // The server stays gone when the page has nothing to ask any more: the page says so, its clock stands still, and it finds
  // out by itself when the server is back.
  async 'server gone, and nothing to ask'(game) {
    const { page } = game, { server, address } = await serve(), { port } = new URL(address);
    game.expects = /Failed to load resource: (net::ERR_|the server responded with a status of 404)/;
    const waiting = (time) => page.evaluate((milliseconds) => new Promise((resolve) => { setTimeout(resolve, milliseconds); }), time);
    let again = null;
    try {
      await page.goto(address);
      await page.waitForSelector('body[data-ready]');
      await game.setClock('#new-dialog', 'byoyomi', { minutes: 10, periods: 1, byoyomi: 0 });
      await game.start({ size: 7, komi: 0, checks: [{ name: 'opponent', value: 'person' }, agreed] });
      await game.began(7);
      await page.click('#analyse');
      await page.locator('.candidate').first().waitFor({ timeout: PATIENCE });
      const ended = once(server, 'exit');
      server.kill();
      await game.shows('#connection', 'The clocks stand still.');
      await page.click('#analyse');
      await waiting(100);
      const before = await game.text('#player-B .clock');
      await waiting(1500); // a clock that runs shows seconds
      assert.equal(await game.text('#player-B .clock'), before);
      assert.equal(await page.isVisible('#connection'), true);
      await ended; // its port is free
      again = (await serve('--port', port)).server;
      await page.locator('#connection').waitFor({ state: 'hidden' });
      await page.waitForFunction((text) => document.querySelector('#player-B .clock').textContent !== text, before);
    } finally {
      server.kill();
      again?.kill();
    }
  },

  // A server for others that is started again has another address: the page says so, its clock stands still, and the new
  // address has the game. With its token in a file it has the same address, and the page goes on by itself.
  async 'server with another address'(game) {
    const { page } = game, folder = mkdtempSync(`${tmpdir()}/board-`);
    const local = (address) => address.replace('0.0.0.0', '127.0.0.1');
    game.expects = /Failed to load resource: (net::ERR_|the server responded with a status of 40[34])/;
    let now = await serve('--bind', '0.0.0.0');
    const restart = async (...options) => {
      const { port } = new URL(now.address);
      now.server.kill();
      await once(now.server, 'exit');
      now = await serve('--bind', '0.0.0.0', '--port', port, ...options);
      return local(now.address);
    };
    try {
      await page.goto(local(now.address));
      await page.waitForSelector('body[data-ready]');
      await game.setClock('#new-dialog', 'byoyomi', { minutes: 10, periods: 1, byoyomi: 0 });
      await game.start({ size: 3, komi: 0, checks: [{ name: 'opponent', value: 'person' }, agreed] });
      await game.began(3);
      await game.play(9);
      const address = await restart();
      await game.cell(0).click();
      await game.shows('#connection', 'has a new address. Open the one that it prints');
      await game.shows('#connection', 'The clocks stand still.');
      const before = await game.text('#player-W .clock');
      await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 1500); })); // a clock that runs shows seconds
      assert.equal(await game.text('#player-W .clock'), before);
      await page.goto(address);
      await game.turn(1);
      await page.waitForFunction((text) => document.querySelector('#player-W .clock').textContent !== text, before);
      const lasting = await restart('--token-file', `${folder}/token`);
      await page.goto(lasting);
      await game.turn(1);
      await game.cell(0).click();
      await game.turn(2);
      assert.equal(await restart('--token-file', `${folder}/token`), lasting);
      await game.cell(18).click();
      await game.turn(3);
      await page.locator('#connection').waitFor({ state: 'hidden' });
    } finally {
      now.server.kill();
      rmSync(folder, { recursive: true });
    }
  },

  // A server for other machines: the page works behind its token.
  async 'behind a token'(game) {
    const { page } = game, { server, address } = await serve('--bind', '0.0.0.0');
    try {
      const place = address.replace('0.0.0.0', '127.0.0.1');
      assert.match(place, /^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/);
      assert.equal((await page.request.get(new URL('/', place).href)).status(), 403);
      await page.goto(place);
      await page.waitForSelector('body[data-ready]');
      await game.startForTwo(3, 0);
      await game.play(9);
      await page.click('#analyse');
      await page.locator('.candidate').first().waitFor({ timeout: PATIENCE });
    } finally {
      server.kill();
    }
  },
};
