// Tests of the board in the browser, in headless Chromium:
//
//   node board.mjs BINARY [FOLDER]     the page of `BINARY serve`; FOLDER: screenshots go there
//   node board.mjs PAGE [FOLDER]       the page without a server in the folder PAGE (tools/setup.sh page)
//
// Each test has a page of its own on one server. They wait for what the page shows, never for a time.

import { spawn } from 'node:child_process';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { serveFolder } from './static.mjs';

const [binary, pictures] = process.argv.slice(2);
const hasServer = !statSync(binary).isDirectory();
const PATIENCE = 30000;

// ---- What tests do with a page ----

class Game {
  constructor(page) {
    this.page = page;
  }

  text(selector) {
    return this.page.locator(selector).innerText();
  }

  // Waits until an element shows a text (a part, or a pattern).
  async shows(selector, text) {
    await this.page.locator(selector).filter({ hasText: text }).first().waitFor({ timeout: PATIENCE });
  }

  // Waits until so many turns have been played.
  async turn(number) {
    await this.page.waitForSelector(`body[data-turn="${number}"]`, { timeout: PATIENCE });
  }

  get played() {
    return this.page.evaluate(() => Number(document.body.dataset.turn));
  }

  cell(number) {
    return this.page.locator(`#cell-${number} .ground`);
  }

  // Starts a game by the dialog: `fields` are radio buttons to check and inputs to fill.
  async start({ size = 3, game = 'stigmergy', checks = [], komi, level }) {
    const { page } = this;
    if (!await page.locator('#new-dialog').isVisible()) await page.click('#new');
    await page.selectOption('#new-game', game);
    await page.selectOption('#new-size', String(size));
    for (const check of checks) await page.check(`#new-dialog input[value=${check.value}][name=${check.name}]`);
    if (level) await page.selectOption('#new-level', String(level));
    if (komi !== undefined) await page.fill('#new-komi', String(komi));
    await page.click('#new-start');
  }

  // Two people at the screen, komi agreed.
  async startForTwo(size, komi) {
    await this.start({ size, komi, checks: [{ name: 'opponent', value: 'person' }, { name: 'way', value: 'fixed' }] });
    await this.turn(0);
    await this.page.locator('#new-dialog').waitFor({ state: 'hidden' });
    await this.page.waitForFunction((cells) => document.querySelectorAll('.cell').length === cells, 3 * size * (size - 1) + 1);
  }

  // Opens a game of seven turns with mistakes, and goes to its end.
  async openMistakes() {
    const { page } = this;
    await this.startForTwo(3, 0);
    await page.click('#open');
    await page.fill('#open-text', '4 pie c3 a1 c4 a2 d3 a3 b3');
    await page.click('#open-dialog button.primary');
    await page.locator('#open-dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('End');
    await this.turn(7);
  }

  async review() {
    await this.page.selectOption('#review-limit', 'maxSims 1000');
    await this.page.click('#review');
    await this.shows('#review', 'Review deeper');
  }

  async play(...cells) {
    for (const cell of cells) {
      const before = await this.played;
      await this.cell(cell).click();
      await this.turn(before + 1);
    }
  }
}

const agreed = { name: 'way', value: 'fixed' };

// ---- The tests ----

const tests = {
  // The page is there, says what it is, and asks for a game.
  async 'start'(game) {
    const { page } = game;
    assert.equal(await page.title(), 'Stigmergy');
    await page.locator('#new-dialog').waitFor();
    assert.equal(await page.locator('.cell').count(), 169);
    await game.startForTwo(5, 0);
    assert.equal(await game.text('#status'), 'Black to move');
    await game.play(30);
    await game.shows('#status', 'White to move');
    assert.equal(await page.locator('.stone-B').count(), 1);
  },

  // The computer names komi and the human chooses sides; the other way round.
  async 'komi'(game) {
    const { page } = game;
    assert.equal(await page.locator('#new-level option').nth(1).innerText(), '2 · novice (Elo 266)');
    await game.start({ size: 3, level: 2, checks: [{ name: 'way', value: 'computer' }] });
    await page.locator('#side-dialog').waitFor();
    assert.match(await game.text('#side-komi'), /^Komi -?\d+: White gets -?\d+ points?/);
    await page.click('#side-white');
    await game.turn(1); // the computer has moved as Black
    assert.equal(await game.text('#player-B .name'), 'Stigmergy (novice)');
    await page.waitForSelector('#player-W.to-move');
    await game.start({ size: 3, level: 2, komi: -9, checks: [{ name: 'way', value: 'me' }] });
    await game.shows('#message', 'With komi -9 the computer takes Black; you play White');
    await game.turn(1);
    assert.equal(await game.text('#player-W .name'), 'You');
  },

  // A whole game against a weak level to the final score, the button taken on the way.
  async 'whole game'(game) {
    const { page } = game;
    await game.start({ size: 2, level: 1, komi: 1, checks: [agreed, { name: 'side', value: 'B' }] });
    await page.locator('#new-dialog').waitFor({ state: 'hidden' });
    await page.click('[data-action=take-button]');
    await page.waitForSelector('#player-B .button-held:not([hidden])');
    for (let turns = 0; turns < 60; turns++) {
      await page.waitForSelector('#player-B.to-move, #status.over', { timeout: PATIENCE });
      if (await page.locator('#status.over').count()) break;
      const before = await game.played, pass = page.locator('[data-action=pass]');
      if (await pass.count()) await pass.click();
      else await page.locator('.cell.open .ground').first().click();
      await page.waitForFunction((turn) => Number(document.body.dataset.turn) > turn, before);
    }
    assert.match(await game.text('#status'), /^(Black|White) wins: [BW]\+\d+\.5$/);
    assert.equal(await page.locator('.cell.open').count(), 0);
  },

  // A click on a cell that cannot be played says why and changes nothing; so does a wrong link.
  async 'illegal click'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9);
    await game.cell(9).click();
    await game.shows('#message', 'c3: White does not control that cell, so the stone cannot be flipped');
    assert.equal(await game.played, 1);
    await game.play(0);
    await game.cell(9).click();
    await game.shows('#message', 'c3: Black has a stone there already');
    await page.evaluate(() => { location.hash = '#game=stigmergy&size=3&komi=0&moves=c3.c3'; });
    await game.shows('#message', 'The link holds no position');
    assert.equal(await game.played, 2);
  },

  // What a cell sees is drawn when the pointer is on it; a flip is shown and made.
  async 'sight and flips'(game) {
    const { page } = game;
    await page.goto(`${page.url().split('#')[0]}#game=stigmergy&size=3&komi=0&black=c1.c5.a1.e3&white=c3`);
    await page.reload();
    await page.waitForSelector('#cell-9.control-B');
    assert.equal(await page.locator('.threat-B').count(), 1);
    await game.cell(9).hover();
    await game.shows('#cell-text', 'c3: white stone; sees 4 black and 0 white, 4 of a colour control it; Black controls it. You may flip this stone.');
    assert.equal(await page.locator('.ray-B').count(), 4);
    assert.equal(await page.locator('.sight .flip').count(), 1);
    await game.play(9);
    assert.equal(await page.locator('.stone-W').count(), 0);
  },

  // Undo, redo, variations, all by the keyboard.
  async 'undo and variations'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    await page.keyboard.press('u');
    await game.turn(1);
    await page.keyboard.press('ArrowRight');
    await game.turn(2);
    await page.click('#back');
    await game.turn(1);
    await game.play(18);
    assert.equal(await page.locator('.turn').count(), 4);
    await page.keyboard.press('ArrowUp'); // back to the first variation
    await page.waitForSelector('#cell-0[aria-label*="white stone"]');
    await page.keyboard.press('Home');
    await game.turn(0);
    await page.keyboard.press('End');
    await game.turn(2);
    await page.click('#cut');
    await game.turn(1);
    assert.equal(await page.locator('.turn').count(), 3);
  },

  // A game without a mouse: dialog, cursor, Enter, pass key.
  async 'keyboard only'(game) {
    const { page } = game;
    await page.keyboard.press('Escape');
    await page.locator('#new-dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('n');
    await page.locator('#new-dialog').waitFor();
    await page.selectOption('#new-size', '3');
    await page.check('#new-dialog input[value=person]');
    await page.check('#new-dialog input[value=fixed]');
    await page.fill('#new-komi', '1');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelectorAll('.cell').length === 19);
    await page.locator('#new-dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowLeft'); // the cursor begins in the middle
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('Enter');
    await game.turn(1);
    assert.match(await page.getAttribute('#cell-8', 'aria-label'), /^c2: black stone/);
    await page.keyboard.press('t');
    await game.turn(2);
    await page.waitForSelector('#player-W .button-held:not([hidden])');
  },

  // Analysis fills the board and the list, moves with the position, and shows owners.
  async 'analysis'(game) {
    const { page } = game;
    await game.startForTwo(4, 3);
    await page.click('#analyse');
    await page.locator('#candidates tr').nth(2).waitFor({ timeout: PATIENCE });
    await page.locator('.candidate.best').waitFor();
    assert.match(await game.text('#chance-B'), /^Black \d+/);
    await page.locator('#candidates tr').first().hover();
    await page.locator('.count').first().waitFor();
    await page.mouse.move(2, 2);
    await page.click('#heat');
    await page.waitForFunction(() => document.querySelectorAll('.owner').length === 37);
    const first = await page.locator('.candidate.best').getAttribute('cx');
    assert.ok(first);
    await game.play(18);
    await game.shows('#graph-text', /^1\. d4: Black \d+%/);
    await page.click('#analyse');
    await page.waitForFunction(() => !document.querySelector('.candidate'));
  },

  // Analysis goes on until it is switched off, also after the position has been looked at for a while.
  async 'analysis goes on'(game) {
    const { page } = game;
    await game.startForTwo(8, 3);
    const requests = [];
    page.on('request', (request) => { if (request.url().endsWith('/api/analysis')) requests.push(request.postDataJSON()); });
    await page.click('#analyse');
    await page.locator('.candidate.best').waitFor();
    assert.ok(requests[0].maxTime >= 24 * 3600);
    const sims = () => page.evaluate(() => document.querySelector('#search-state').textContent);
    for (let i = 0; i < 3; i++) {
      const before = await sims();
      await page.waitForFunction((text) => document.querySelector('#search-state').textContent !== text, before);
    }
    assert.equal(requests.length, 1);
    const ended = page.waitForEvent('requestfailed');
    await page.click('#analyse');
    assert.match((await ended).url(), /analysis$/); // the page has ended it, so the server stops
  },

  // While analysis is on, the whole game is searched: all positions get into the graph.
  async 'whole game analysed'(game) {
    const { page } = game;
    await game.openMistakes();
    await page.click('#analyse');
    await page.waitForFunction(() => document.querySelector('.graph-chance')?.getAttribute('points').split(' ').length === 8, null, { timeout: PATIENCE });
    assert.equal(await page.locator('#accuracies tr').count(), 2);
    assert.equal(await page.locator('#mistakes li').count(), 0); // they are for a review to confirm
    await page.click('#analyse');
  },

  // The review finds the mistake of a game, lists it, and goes there to try again.
  async 'review'(game) {
    const { page } = game;
    await game.openMistakes();
    await game.review();
    await page.locator('#mistakes li').first().waitFor();
    await page.locator('.graph-black').waitFor();
    assert.match(await page.locator('#mistakes .loss').first().innerText(), /^−\d+%, \d+\.\d$/);
    assert.match(await page.locator('#mistakes .better').first().innerText(), /^better /);
    assert.equal(await page.locator('#accuracies tr').count(), 2);
    assert.match(await game.text('#accuracies tr:first-child'), /Black\s+\d+(\.\d)?%\s+\d+\.\d%\s+\d+\.\d/);
    assert.ok(await page.locator('.loss-dot').count() > 0);
    await page.click('#losses');
    assert.equal(await page.locator('.loss-dot').count(), 0);
    await page.click('#losses');
    const mistake = await page.locator('#mistakes .link').first().innerText();
    const number = Number(mistake.match(/^(\d+)\./)[1]);
    await page.locator('#mistakes .link').first().click();
    await game.turn(number);
    await page.locator('#mistakes .small').first().click();
    await game.turn(number - 1);
    await game.shows('#message', 'Try again');
    const box = await page.locator('#graph').boundingBox();
    await page.mouse.click(box.x + box.width - 2, box.y + 20);
    await game.turn(7);
    const listed = await game.text('#mistakes'); // it is kept, by the browser and, without candidates, in a file
    await page.reload();
    await game.turn(7);
    await game.shows('#accuracies', 'Black');
    assert.equal(await game.text('#mistakes'), listed);
    await page.click('#save');
    await page.waitForFunction(() => /SBKV\[\d+\.\d\d\]V\[-?\d+\.\d\]\s*;B\[c3\]SBKV/.test(document.querySelector('#save-text').value));
    const sgf = await page.inputValue('#save-text');
    await page.click('#save-dialog [data-close]');
    await game.startForTwo(3, 0);
    assert.equal(await page.locator('.graph-black').count(), 0);
    await page.click('#open');
    await page.fill('#open-text', sgf);
    await page.click('#open-dialog button.primary');
    await page.locator('.graph-black').waitFor();
    await game.shows('#accuracies', 'Black');
  },

  // Learning from mistakes: the answer is hidden, a bad turn is refused and taken back, the better one is praised.
  async 'learn'(game) {
    const { page } = game;
    await game.openMistakes();
    await game.review();
    const better = new Map();
    for (const item of await page.locator('#mistakes li').all()) {
      const number = Number((await item.locator('.link').innerText()).match(/^(\d+)\./)[1]);
      better.set(number, (await item.locator('.better').innerText()).replace('better ', ''));
    }
    const [first] = [...better.keys()].sort((a, b) => a - b), before = await page.locator('.turn').count();
    await page.click('#learn');
    await game.turn(first - 1);
    await game.shows('#learn-text', 'Find a better turn');
    assert.equal(await page.locator('#mistakes').isVisible(), false);
    assert.equal((await game.text('#learn-text')).includes(`better ${better.get(first)}`), false);
    const cellOf = (name) => page.locator(`.cell[aria-label^="${name}:"] .ground`);
    const played = (await game.text('#learn-text')).match(/played (\w+) here/)[1];
    await cellOf(played).click();
    await game.shows('#learn-text', `${played} is what was played. Try another one.`);
    await game.turn(first - 1);
    assert.equal(await page.locator('.turn').count(), before); // no variation is left behind
    await cellOf(better.get(first)).click();
    await game.shows('#learn-text', 'Right:');
    assert.equal(await page.locator('body.learning').count(), 0);
    assert.equal(await page.locator('#learn-solution').isVisible(), false);
    await page.click('#learn-end');
    await page.locator('#learn-panel').waitFor({ state: 'hidden' });
  },

  // Games are kept: SGF with variations, lists, the whole state over a reload.
  async 'save and load'(game) {
    const { page } = game;
    await game.startForTwo(3, 1);
    await game.play(9);
    await page.fill('#comment', 'a good start');
    await game.play(0);
    await page.keyboard.press('Escape');
    await page.click('#back');
    await game.turn(1);
    await game.play(18);
    await page.click('#save');
    await page.waitForFunction(() => document.querySelector('#save-text').value.includes('SZ[3]'));
    const sgf = await page.inputValue('#save-text');
    assert.match(sgf, /KM\[1\][^]*;B\[c3\]C\[a good start\][^]*\(;W\[e1\]\)[^]*\(;W\[a3\]\)/);
    const download = page.waitForEvent('download');
    await page.click('#save-file');
    assert.equal((await download).suggestedFilename(), 'stigmergy-3.sgf');
    await page.click('#save');
    await page.check('#save-dialog input[value=list]');
    await page.waitForFunction(() => document.querySelector('#save-text').value.startsWith('1. 1 pie'));
    await page.check('#save-dialog input[value=record]');
    await game.shows('#save-dialog .error', 'not over');
    await page.click('#save-dialog [data-close]');
    await page.reload();
    await game.turn(2);
    assert.equal(await page.locator('.turn').count(), 4);
    await page.click('#open');
    await page.fill('#open-text', '{"a":1}');
    await page.click('#open-dialog button.primary');
    await game.shows('#open-dialog .error', 'no game in this JSON, expected a record');
    await page.fill('#open-text', 'nonsense');
    await page.click('#open-dialog button.primary');
    await game.shows('#open-dialog .error', "'nonsense' is not a move");
    await page.fill('#open-text', sgf);
    await page.click('#open-dialog button.primary');
    await game.turn(0);
    assert.equal(await page.locator('.turn').count(), 4);
  },

  // The browser keeps games: they are listed, opened with all that belongs to them, deleted and brought back.
  async 'kept games'(game) {
    const { page } = game, listed = page.locator('#games-list .game-of');
    await game.startForTwo(3, 1);
    await game.play(9);
    await page.fill('#comment', 'to be kept');
    await game.play(0);
    await page.click('#back');
    await game.turn(1);
    await game.startForTwo(4, 2);
    await game.play(18);
    await page.click('#games');
    assert.deepEqual(await listed.locator('b').allInnerTexts(),
      ['Stigmergy 4, komi 2 · two people · 1 turn', 'Stigmergy 3, komi 1 · two people · 2 turns']);
    await listed.nth(1).click();
    await page.waitForFunction(() => document.querySelectorAll('.cell').length === 19);
    await page.waitForFunction(() => document.querySelector('#comment').value === 'to be kept');
    await game.turn(1);
    assert.equal(await page.locator('.turn').count(), 3);
    await page.click('#games');
    await page.locator('#games-list button[title="Delete this game"]').nth(1).click();
    assert.equal(await listed.count(), 1);
    await page.locator('#games-list button', { hasText: 'Bring it back' }).click();
    assert.equal(await listed.count(), 2);
    await page.locator('#games-list button[title="Delete this game"]').nth(1).click();
    await page.click('#games-dialog [data-close]');
    await page.click('#games');
    assert.equal(await listed.count(), 1);
  },

  // What analysis has found is there after a reload.
  async 'kept analysis'(game) {
    const { page } = game;
    await game.startForTwo(3, 1);
    await game.play(9);
    await page.click('#analyse');
    await page.locator('.candidate.best').waitFor();
    await page.click('#analyse');
    const chance = await game.text('#chance-B');
    await page.reload();
    await game.turn(1);
    assert.equal(await game.text('#chance-B'), chance);
  },

  // A browser that refuses to keep anything: the page says so, and works.
  async 'nothing kept'(game) {
    const { page } = game;
    await page.addInitScript(() => { Storage.prototype.setItem = () => { throw new Error('full'); }; });
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await game.startForTwo(3, 0);
    await game.play(9);
    await game.shows('#message', 'This browser keeps no games');
    await page.locator('#message button', { hasText: 'Save' }).click();
    await page.locator('#save-dialog').waitFor();
  },

  // A turn that was removed with all that follows it comes back.
  async 'removed by mistake'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0, 18);
    await page.click('#back');
    await game.turn(2);
    await page.click('#cut');
    await game.turn(1);
    assert.equal(await page.locator('.turn').count(), 2);
    await page.locator('#message button', { hasText: 'Bring it back' }).click();
    await game.turn(2);
    assert.equal(await page.locator('.turn').count(), 4);
  },

  // Who plays changes at any time: two people, then the computer for one of them, then people again.
  async 'players change'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9);
    await page.click('#players');
    await page.selectOption('#players-W', '1');
    await page.click('#players-dialog button.primary');
    await game.turn(2);
    assert.equal(await game.text('#player-W .name'), 'Stigmergy (beginner)');
    await page.click('#players');
    await page.selectOption('#players-W', '0');
    await page.click('#players-dialog button.primary');
    assert.equal(await game.text('#player-W .name'), 'White');
    await page.locator('.cell.open .ground').first().click();
    await game.turn(3);
    await page.waitForSelector('#player-W.to-move');
    assert.equal(await page.locator('#player-W .thinking').isVisible(), false);
  },

  // A link holds the whole position, for another browser.
  async 'link'(game) {
    const { page } = game;
    await game.startForTwo(4, -1);
    await game.play(18, 0, 36);
    await page.click('#share');
    const link = await page.inputValue('#share-text');
    const other = await (await page.context().browser().newContext()).newPage();
    await other.goto(link);
    await other.waitForSelector('body[data-turn="3"]', { timeout: PATIENCE });
    assert.equal(await other.locator('.stone').count(), 3);
    assert.match(await other.locator('#player-W .points').innerText(), /− 1/);
    await other.context().close();
  },

  // A position set up by hand is played on from there.
  async 'set up'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await page.click('#set-up');
    await game.cell(9).click();
    await page.check('#set-up-panel input[name=kind][value=W]');
    await game.cell(0).click();
    await page.waitForSelector('#cell-0[aria-label*="white stone"]');
    await page.check('#set-up-panel input[name=first][value=W]');
    await page.click('#set-up-done');
    await game.shows('#status', 'White to move');
    await game.play(18);
    assert.equal(await page.locator('.stone').count(), 3);
    await page.reload();
    await game.turn(1);
    assert.equal(await page.locator('.turn .turn-W').count(), 1);
  },

  // Another game, by the dialog or by a file, ends setting up: a click plays there.
  async 'set up is left'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    for (const other of ['dialog', 'file']) {
      await page.click('#set-up');
      await page.waitForSelector('#set-up-panel:not([hidden])');
      await game.cell(9).click();
      await page.waitForSelector('#cell-9[aria-label*="black stone"]');
      if (other === 'dialog') {
        await game.startForTwo(4, 0);
      } else {
        await page.click('#open');
        await page.fill('#open-text', '(;GM[stigmergy]SZ[4]KM[0])');
        await page.click('#open-dialog button.primary');
        await page.locator('#open-dialog').waitFor({ state: 'hidden' });
      }
      await page.locator('#set-up-panel').waitFor({ state: 'hidden' });
      assert.equal(await page.getAttribute('#set-up', 'aria-pressed'), 'false');
      await game.play(0);
      assert.equal(await page.locator('.stone').count(), 1);
    }
  },

  // Komi beyond what the board has is refused in words, wherever it is typed.
  async 'komi limits'(game) {
    const { page } = game;
    for (const [komi, good] of [['20', false], ['-20', false], ['1.5', false], ['', false], ['-19', true]]) {
      await game.start({ size: 3, komi, checks: [{ name: 'opponent', value: 'person' }, agreed] });
      if (!good) await game.shows('#new-dialog .error', 'Komi: expected a whole number from −19 to 19');
      else await page.locator('#new-dialog').waitFor({ state: 'hidden' });
    }
    await game.shows('#player-W .points', '− 19');
    await page.click('#set-up');
    await page.fill('#set-up-komi', '99');
    await game.cell(9).click();
    await page.waitForSelector('#cell-9[aria-label*="black stone"]');
    await page.click('#set-up-done');
    await game.shows('#set-up-error', 'Komi: expected a whole number from −19 to 19');
    await page.fill('#set-up-komi', '4');
    await page.click('#set-up-done');
    await game.shows('#player-W .points', '+ 4');
    await game.start({ size: 3, checks: [{ name: 'opponent', value: 'computer' }, { name: 'strength', value: 'time' }, agreed] });
    await page.click('#new');
    await page.fill('#new-dialog [name=time]', '1000');
    await page.click('#new-start');
    await game.shows('#new-dialog .error', 'Seconds a move: expected a number from 0.1 to 60');
  },

  // A turn that is begun travels in the link and stays over a reload; one that a link calls begun and that is whole is
  // a turn; one that is neither is refused.
  async 'begun turns'(game) {
    const { page } = game, start = page.url().split('#')[0];
    const follow = async (fragment) => {
      await page.goto(`${start}#${fragment}`);
      await page.reload();
      await page.waitForSelector('body[data-ready]');
    };
    await follow('game=bug&size=3&komi=0&black=c5&white=c3.e3&begun=d3'); // RULES: d3 eats, then d2, e2, e3 or c3
    await game.shows('#status', 'Black goes on');
    assert.equal(await page.locator('.stone-B').count(), 2);
    await game.cell(18).hover();
    await game.shows('#cell-text', 'Not possible: the turn goes on with one of the marked cells.');
    await page.reload();
    await game.shows('#status', 'Black goes on');
    await page.click('#share');
    assert.match(await page.inputValue('#share-text'), /begun=d3$/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('u');
    await game.shows('#status', 'Black to move');
    await follow('game=stigmergy&size=3&komi=0&moves=c3&begun=a1');
    await game.turn(2);
    await game.shows('#status', 'Black to move');
    assert.match(page.url(), /moves=c3\.a1$/);
    await page.keyboard.press('u');
    await game.turn(1);
    await follow('game=stigmergy&size=3&komi=0&begun=a1.a2');
    await game.shows('#message', 'The link holds no position');
  },

  // A game whose turns have several actions, with undo within the turn.
  async 'long turns'(game) {
    const { page } = game;
    await page.goto(`${page.url().split('#')[0]}#game=bug&size=3&komi=0&black=c5&white=c3.e3`);
    await page.reload();
    await page.waitForSelector('.stone-W');
    await game.cell(5).click(); // RULES: d3 eats, then d2, e2, e3 or c3
    await game.shows('#status', 'Black goes on');
    await page.keyboard.press('u');
    await game.shows('#status', 'Black to move');
    await game.cell(5).click();
    await game.shows('#status', 'Black goes on');
    await game.play(1);
    assert.equal(await page.locator('.stone-W').count(), 0);
    assert.equal(await page.locator('.stone-B').count(), 3);
  },

  // A phone: one column, nothing wider than the screen, the first tap looks, the second plays.
  async 'small screen'(game) {
    const { browser } = game, url = game.page.url();
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    const phone = new Game(await context.newPage());
    await phone.page.goto(`${url.split('#')[0]}#game=stigmergy&size=8&komi=3`);
    await phone.page.waitForSelector('body[data-ready]');
    assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await phone.cell(84).tap();
    await phone.shows('#cell-text', 'Tap again to play');
    assert.equal(await phone.played, 0);
    await phone.cell(84).tap();
    await phone.turn(1);
    if (pictures) await phone.page.screenshot({ path: `${pictures}/phone.png` });
    await context.close();
  },

  // Light and dark: as the system, and by the switch, which is kept.
  async 'light and dark'(game) {
    const { page } = game;
    await page.keyboard.press('Escape');
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    await page.emulateMedia({ colorScheme: 'light' });
    const light = await paper();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await paper();
    assert.notEqual(light, dark);
    await page.click('#look');
    assert.equal(await paper(), light);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    assert.equal(await paper(), light);
  },

  // Two tabs play at the same time; one that is closed in mid-search leaves the server to the other.
  async 'two tabs'(game) {
    const { page } = game, other = new Game(await page.context().newPage());
    await other.page.goto(page.url());
    await other.page.waitForSelector('body[data-ready]');
    await other.startForTwo(9, 0);
    await other.page.click('#analyse');
    await other.page.locator('.candidate').first().waitFor({ timeout: PATIENCE });
    await game.startForTwo(3, 0);
    await game.play(9);
    await other.page.close();
    await page.click('#analyse');
    await page.locator('.candidate').first().waitFor({ timeout: PATIENCE });
  },

  // After the first visit the page needs no network: it loads, the computer moves, a position is analysed.
  async offline(game) {
    const { page } = game;
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await game.start({ size: 3, level: 3, komi: 4, checks: [agreed, { name: 'side', value: 'W' }] });
    await game.turn(1);
    await page.click('#analyse');
    await page.locator('.candidate').first().waitFor();
    await page.context().setOffline(false);
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

// What only one of the two pages can do.
if (hasServer) {
  delete tests.offline;
} else {
  delete tests['behind a token'];
  delete tests['analysis goes on']; // it looks at requests
}

// ---- Running them ----

async function serve(...options) {
  if (!hasServer) {
    const host = await serveFolder(binary);
    return { server: { kill: host.close }, address: host.address };
  }
  const server = spawn(binary, ['serve', '--port', '0', '--threads', '2', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  return { server, address: String(line).trim() };
}

async function run(name, test, browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } }), page = await context.newPage();
  const problems = [];
  page.on('pageerror', (error) => problems.push(error.stack));
  page.on('console', (message) => { if (message.type() === 'error' && !/status of 400/.test(message.text())) problems.push(message.text()); });
  page.setDefaultTimeout(PATIENCE);
  const begin = Date.now();
  try {
    await page.goto(address);
    await page.waitForSelector('body[data-ready]');
    const game = new Game(page);
    game.browser = browser;
    await test(game);
    assert.deepEqual(problems, []);
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

const { server, address } = await serve();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
let failures = 0;
for (const [name, test] of Object.entries(tests))
  if (!process.env.ONLY || name.includes(process.env.ONLY)) failures += await run(name, test, browser, address) ? 0 : 1;
await browser.close();
server.kill();
console.log(failures ? `${failures} failed` : 'all passed');
process.exit(failures ? 1 : 0);
