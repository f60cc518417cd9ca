// Tests of the board in the browser, in headless Chromium:
//
//   node board.mjs BINARY [FOLDER]     the page of `BINARY serve`; FOLDER: screenshots go there
//   node board.mjs PAGE [FOLDER]       the page without a server in the folder PAGE (tools/setup.sh page)
//
// Each test has a page of its own on one server. They wait for what the page shows, for a time only where
// nothing may change. With ONLY=TEXT in the environment only those run whose names contain the text.

import { execFileSync, spawn } from 'node:child_process';
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { serveFolder } from './static.mjs';

const [binary, pictures] = process.argv.slice(2);
const hasServer = !statSync(binary).isDirectory();
const PATIENCE = 120000; // milliseconds: for machines that are slow or busy

// ---- What tests do with a page ----

class Game {
  constructor(page) {
    this.page = page;
    page.setDefaultTimeout(PATIENCE);
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

  // Chooses a clock in a dialog: its kind, and fields of it.
  async setClock(dialog, kind, fields = {}) {
    await this.page.selectOption(`${dialog} [name=clock]`, kind);
    for (const [name, value] of Object.entries(fields)) await this.page.fill(`${dialog} [name=${name}]`, String(value));
  }

  // What the save dialog writes as SGF, when it matches.
  async sgf(pattern) {
    const { page } = this;
    await page.click('#save');
    await page.check('#save-dialog input[value=sgf]');
    await page.waitForFunction(([source]) => new RegExp(source).test(document.querySelector('#save-text').value), [pattern.source]);
    const text = await page.inputValue('#save-text');
    await page.click('#save-dialog [data-close]');
    return text;
  }

  async openText(text) {
    const { page } = this;
    await page.click('#open');
    await page.fill('#open-text', text);
    await page.click('#open-dialog button.primary');
    await page.locator('#open-dialog').waitFor({ state: 'hidden' });
  }

  // Waits until the game that was started is on the board: before that a click may hit the last one's.
  async began(size) {
    await this.page.locator('#new-dialog').waitFor({ state: 'hidden' });
    await this.hasBoard(size);
  }

  async hasBoard(size) {
    await this.page.waitForFunction((cells) => document.querySelectorAll('#board .cell').length === cells, 3 * size * (size - 1) + 1);
  }

  // The page's time stands still from here on, except for `page.clock.runFor`: a slow machine does not lose on time.
  async stopTime() {
    await this.page.clock.install();
    await this.page.clock.pauseAt(Date.now() + 3600e3); // surely later than the page's time
  }

  // Two people at the screen, komi agreed.
  async startForTwo(size, komi) {
    await this.start({ size, komi, checks: [{ name: 'opponent', value: 'person' }, { name: 'way', value: 'fixed' }] });
    await this.began(size);
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

  // Opens a game on hexhex-5 that a review has judged: what each turn lost, of the chance and in points.
  async keptReview(turns, chances, points) {
    const { page } = this, found = { winrate: 0.5, scoreLead: 0, sims: 1, proven: false, moves: [] };
    await page.addInitScript((kept) => sessionStorage.setItem('stigmergy-game', kept), JSON.stringify({
      settings: { game: 'stigmergy', size: 5, komi: 6 }, names: { B: '', W: '' }, current: turns.length, reviewed: turns.length,
      nodes: turns.map((turn, i) => ({ parent: i, turn })),
      found: [null, ...turns].map((_, i) => ({ ...found, currentPlayer: i % 2 ? 'W' : 'B' })),
      checked: [null, ...turns.map((_, i) => ({ chance: chances[i], points: points[i], better: chances[i] ? 'a1' : null, reached: 0.9, reply: ['a1'] }))],
    }));
    await page.goto(page.url().split('#')[0]);
    await this.turn(turns.length);
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
    await game.hasBoard(5);
    await game.startForTwo(5, 0);
    assert.equal(await game.text('#status'), 'Black to move');
    await game.play(30);
    await game.shows('#status', 'White to move');
    assert.equal(await page.locator('.stone-B').count(), 1);
  },

  // Who has never played here is offered the rules, a small board and a weak level; what comes after the lessons, and the
  // next time, is as usual.
  async 'newcomer'(game) {
    const { page } = game, first = () => page.locator('#new-dialog .end .primary').innerText();
    await game.shows('#new-about', 'Who owns more cells at the end wins.');
    assert.deepEqual([await page.inputValue('#new-size'), await page.inputValue('#new-level'), await first()], ['5', '2', 'Learn the rules']);
    await page.click('#new-intro');
    await game.shows('#intro-text', /^Who owns more cells at the end wins\./);
    for (const way of ['button', 'key']) { // back to where one came from
      if (way === 'button') await page.click('#intro-dialog [data-close]');
      else for (let i = 0; i < 2; i++) await page.keyboard.press('Escape'); // out of the board, and of the lessons
      await page.locator('#intro-dialog').waitFor({ state: 'hidden' });
      await page.locator('#new-dialog').waitFor();
      assert.equal(await first(), 'Start');
      await page.click('#new-intro');
      await page.waitForSelector('#intro-board[data-lesson="stigmergy 1"]');
    }
    await page.locator('#intro-board .cell[aria-label^="d5:"] .ground').click();
    await game.shows('#intro-answer', 'Not quite.');
    assert.equal(await page.locator('#intro-board .marks .ray').count(), 3);
    await page.click('#intro-dialog [data-close]');
    await page.keyboard.press('Escape');
    await page.click('#help');
    await page.click('#help-intro');
    await page.click('#intro-dialog [data-close]');
    await page.locator('#help-dialog').waitFor();
    await page.keyboard.press('Escape');
    await game.startForTwo(3, 0);
    await game.play(9);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.click('#new');
    assert.equal(await page.isVisible('#new-about'), false);
    assert.deepEqual([await page.inputValue('#new-size'), await page.inputValue('#new-level'), await first()], ['8', '3', 'Start']);
  },

  // A stone is there before the server has answered; where it refuses the move, the stone goes.
  async 'stone at once'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    let answer, asked;
    const held = new Promise((resolve) => { answer = resolve; }), arrived = new Promise((resolve) => { asked = resolve; });
    await page.route('**/api/position', async (route) => { asked(); await held; await route.continue(); }, { times: 1 });
    await game.cell(9).click();
    await arrived;
    await page.locator('.stone-B:not(.ghost)').waitFor();
    assert.equal(await game.played, 0);
    answer();
    await game.turn(1);
    assert.equal(await page.locator('.stone:not(.ghost)').count(), 1);
    await page.route('**/api/position', (route) => route.fulfill({ status: 400, json: { error: 'no such move' } }), { times: 1 });
    await game.cell(4).click();
    await game.shows('#message', 'no such move');
    assert.equal(await page.locator('.stone:not(.ghost)').count(), 1);
    await game.play(4);
  },

  // A text that comes when something else has been chosen does not replace it.
  async 'late text'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9);
    let answer;
    const held = new Promise((resolve) => { answer = resolve; });
    await page.route('**/api/save', async (route) => { await held; await route.continue(); }, { times: 1 });
    await page.click('#save');
    for (const button of ['#save-file', '#save-copy']) assert.equal(await page.isDisabled(button), true);
    assert.equal(await page.getAttribute('#save-text', 'placeholder'), 'Waiting for the text…');
    await page.check('#save-dialog input[value=svg]');
    await page.locator('#save-picture').waitFor();
    const late = page.waitForResponse('**/api/save');
    answer();
    await (await late).finished();
    await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 300); })); // then the page has it, too
    assert.equal(await page.inputValue('#save-text'), '');
    const download = page.waitForEvent('download');
    await page.click('#save-file');
    assert.match(readFileSync(await (await download).path(), 'utf8'), /^<svg/);
  },

  // The computer names komi and the human chooses sides; the other way round.
  async 'komi'(game) {
    const { page } = game;
    assert.equal(await page.locator('#new-level option').nth(1).innerText(), '2 · novice (Elo 215)');
    await game.shows('#new-elo', 'Elo: who has 200 more wins three games of four.');
    await game.start({ size: 3, level: 2, checks: [{ name: 'way', value: 'computer' }] });
    for (const way of ['button', 'key']) { // neither side is taken
      await page.locator('#side-dialog').waitFor();
      if (way === 'button') await page.click('#side-back');
      else await page.keyboard.press('Escape');
      await page.locator('#side-dialog').waitFor({ state: 'hidden' });
      await page.locator('#new-dialog').waitFor();
      await page.click('#new-start');
    }
    await page.locator('#side-dialog').waitFor();
    assert.match(await game.text('#side-komi'), /^Komi −?\d+: White gets −?\d+ points?/);
    await page.click('#side-white');
    await game.turn(1); // the computer has moved as Black
    assert.equal(await game.text('#player-B .name'), 'Stigmergy (novice)');
    await page.waitForSelector('#player-W.to-move');
    await game.start({ size: 3, komi: -1, checks: [{ name: 'opponent', value: 'person' }, { name: 'way', value: 'other' }] });
    await game.shows('#side-komi', 'Komi −1: White gets −1 point. A button lies on the table: once, one player may take it instead of moving, for half a point.');
    await page.click('#side-black');
    await game.began(3);
    await game.play(9);
    await page.click('#games');
    await game.shows('#games-list', 'komi −1');
    await page.click('#games-dialog [data-close]');
    await page.click('#new');
    await page.check('#new-dialog [name=opponent][value=computer]');
    await game.start({ size: 3, level: 2, komi: -9, checks: [{ name: 'way', value: 'me' }] });
    await game.shows('#message', 'With komi −9 the computer takes Black; you play White');
    await game.turn(1);
    assert.equal(await game.text('#player-W .name'), 'You');
  },

  // A whole game against a weak level to the final score, the button taken on the way.
  async 'whole game'(game) {
    const { page } = game;
    await page.keyboard.press('Escape');
    await page.click('#analyse');
    await game.start({ size: 2, level: 1, komi: 1, checks: [agreed, { name: 'side', value: 'B' }] });
    await page.locator('#new-dialog').waitFor({ state: 'hidden' });
    assert.equal(await page.getAttribute('#analyse', 'aria-pressed'), 'false'); // no hints
    await game.shows('#status', /^Your turn$/);
    await page.click('[data-action=take-button]');
    await page.locator('#player-B').getByRole('img', { name: 'holds the button' }).waitFor();
    await page.locator('#player-W').getByRole('img', { name: /^\d points?, komi 1$/ }).waitFor();
    for (let turns = 0; turns < 60; turns++) {
      await page.waitForSelector('#player-B.to-move, #status.over', { timeout: PATIENCE });
      if (await page.locator('#status.over').count()) break;
      const before = await game.played, pass = page.locator('[data-action=pass]');
      if (await pass.count()) await pass.click();
      else await page.locator('.cell.open .ground').first().click();
      await page.waitForFunction((turn) => Number(document.body.dataset.turn) > turn, before);
    }
    const points = await page.locator('.player .points').allInnerTexts().then(([black, white]) => [black, white].map((text) => text.split(' + ').reduce((sum, part) => sum + Number(part.replace('½', '0.5')), 0)));
    const [won, lost] = [Math.max(...points), Math.min(...points)], winner = points[0] > points[1] ? 'You win' : 'The computer wins';
    assert.match(await game.text('#status'), new RegExp(`^${winner} by ${won - lost} points? \\(${won} to ${lost}\\)$`));
    assert.equal(await page.locator('.cell.open').count(), 0);
    assert.deepEqual(await page.locator('#actions button').allInnerTexts(), ['Review the game', 'New game']);
    await page.click('#actions button >> nth=0');
    await game.shows('#review', /^(Stop|Review deeper)/);
    assert.deepEqual(await page.locator('#actions button').allInnerTexts(), ['New game']);
    await page.click('#actions button');
    await page.locator('#new-dialog').waitFor();
  },

  // A pass and the button leave no mark on the board: the status tells of them.
  async 'turns without a stone'(game) {
    const { page } = game, start = page.url().split('#')[0];
    await page.goto(`${start}#game=stigmergy&size=2&komi=1&black=a1.a2.b1.b3.c1.c2`);
    await page.reload();
    await page.click('[data-action=take-button]');
    await game.shows('#status', /^Black took the button\. White to move$/);
    await page.click('[data-action=pass]');
    await game.shows('#status', /^White passed\. Black to move$/);
    await page.keyboard.press('u');
    await game.shows('#status', /^Black took the button\. White to move$/);
    await page.keyboard.press('u');
    await game.shows('#status', /^Black to move$/);
  },

  // A game without points ends because a side has no place for a stone: in Bug that side wins, in Sgolte the other one.
  async 'why it ended'(game) {
    const { page } = game, start = page.url().split('#')[0];
    for (const [place, text] of [['bug&size=2&black=c2.b1.a2&white=b2.a1&to=W', 'White wins: no place for a white stone'],
      ['sgolte&size=2&black=c1.a2.b3&white=c2.a1.b1', 'White wins: no place for a black stone']]) {
      await page.goto(`${start}#game=${place}`);
      await page.reload();
      await game.shows('#status', text);
    }
  },

  // The keys say why there is no pass or no button to take.
  async 'no pass, no button'(game) {
    const { page } = game;
    const says = async (key, text) => {
      await page.keyboard.press(key);
      await game.shows('#message', text);
    };
    await game.startForTwo(3, 0);
    await says('p', 'You may pass only when every empty cell is controlled and no button is on the table.');
    await says('t', 'There is a button only with odd komi.');
    await game.startForTwo(3, 1);
    await page.keyboard.press('t');
    await game.turn(1);
    await says('t', 'The button is taken already.');
    await page.click('#resign');
    await page.waitForSelector('#message:empty', { state: 'attached' }); // the refusal is no word on the result
    await says('p', 'The game is over.');
    await page.evaluate(() => { location.hash = '#game=bug&size=3&moves=c3'; });
    await page.waitForSelector('body.no-points');
    await says('p', 'This game has no pass.');
    await says('t', 'This game has no button.');
  },

  // A person's Undo takes no turn of the computer's alone back, and nobody plays in its name where the game goes on; it
  // can always be stopped.
  async "the computer's turn"(game) {
    const { page } = game, sides = [agreed, { name: 'side', value: 'W' }];
    await game.start({ size: 3, level: 1, komi: 0, checks: sides });
    await game.turn(1);
    assert.equal(await page.isDisabled('#undo'), true);
    await page.keyboard.press('u');
    await game.cell(18).click();
    await game.turn(3);
    await page.click('#undo');
    await game.turn(1);
    await page.click('#new');
    await page.check('#new-dialog [value=time]');
    await page.fill('#new-dialog [name=time]', '60');
    await game.start({ size: 6, komi: 0, checks: sides });
    for (const stop of ['u', '#undo']) {
      await game.shows('#status', 'The computer is thinking…');
      await game.cell(45).click();
      await game.shows('#message', 'The computer is thinking. Undo stops it.');
      if (stop === 'u') await page.keyboard.press(stop);
      else await page.click(stop);
      await game.shows('#status', /^The computer's turn$/);
      assert.deepEqual([await game.text('#message'), await page.isDisabled('#undo')], ['', true]);
      await game.cell(45).click();
      await game.shows('#message', "It is the computer's turn.");
      assert.equal(await game.played, 0);
      await page.click('#message button');
    }
  },

  // Who plays by keys keeps a place on the page: where a button goes or does nothing more, that is the board.
  async 'focus stays'(game) {
    const { page } = game, focused = () => page.evaluate(() => document.activeElement.id);
    await game.startForTwo(3, 1);
    await page.focus('[data-action=take-button]');
    await page.keyboard.press('Enter');
    await game.turn(1);
    assert.equal(await focused(), 'board');
    await page.focus('#undo');
    await page.keyboard.press('Enter');
    await game.turn(0);
    assert.equal(await focused(), 'board');
    await page.click('#help');
    await page.click('#help-intro');
    await page.waitForSelector('#intro-board[data-lesson="stigmergy 1"]');
    await page.locator('#intro-steps button').nth(5).press('Enter');
    await page.waitForSelector('#intro-board[data-lesson="stigmergy 6"]');
    await page.waitForSelector('#intro-steps [aria-current]:focus');
    await page.locator('#intro-choices button', { hasText: 'White' }).press('Enter');
    await page.waitForSelector('#intro-next:focus');
    await page.locator('#intro-again').press('Enter');
    await page.waitForSelector('#intro-board:focus');
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
    await page.evaluate(() => { location.hash = '#game=stigmergy&size=99'; });
    await game.shows('#message', "The link holds no position: 'size'");
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
    assert.ok((await page.locator('.turn').first().boundingBox()).width >= 24); // a finger finds it
    assert.deepEqual(await page.locator('#variations p').allInnerTexts(), ['Instead\n2. e1']); // by their names
    await page.locator('#variations button').press('Enter');
    await page.waitForSelector('#cell-0[aria-label*="white stone"]');
    await page.keyboard.press('Home');
    await game.turn(0);
    assert.deepEqual(await page.locator('#variations p').allInnerTexts(), ['Next\n1. c3']);
    await page.locator('#variations button').click();
    await game.turn(1);
    assert.deepEqual(await page.locator('#variations button').allInnerTexts(), ['2. e1', '2. a3']);
    await page.locator('#variations button').nth(1).click();
    await game.turn(2);
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

  // The wheel over the board steps through the game; at its ends, and with Ctrl, it does what it does elsewhere.
  async 'wheel'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    const turn = async (by, ctrlKey = false) => page.evaluate(([deltaY, ctrl]) =>
      !document.querySelector('#board').dispatchEvent(new WheelEvent('wheel', { deltaY, ctrlKey: ctrl, bubbles: true, cancelable: true })), [by, ctrlKey]);
    assert.equal(await turn(100), false);
    assert.equal(await turn(-100, true), false);
    assert.equal(await turn(-100), true);
    await game.turn(1);
    await turn(-20); // a touchpad: little by little
    assert.equal(await turn(-20), true);
    await page.keyboard.press('ArrowRight'); // to the end, for it is still turn 1
    await game.turn(2);
    await turn(-20);
    await game.turn(1);
    await turn(-100);
    await game.turn(0);
    assert.equal(await turn(-100), false);
    assert.equal(await turn(100), true);
    await game.turn(1);
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

  // Screen readers hear of the analysis: its chance and best move, and what a candidate is worth.
  async 'analysis in words'(game) {
    const { page } = game;
    await game.startForTwo(4, 3);
    await page.evaluate(() => {
      window.told = [];
      new MutationObserver(() => { window.told.push([performance.now(), document.querySelector('#spoken').textContent]); }).observe(document.querySelector('#spoken'), { childList: true });
    });
    await page.click('#analyse');
    await game.shows('#spoken', /^Black \d+%, best [a-g]\d$/);
    const best = (await game.text('#candidates tr:first-child td:first-child'));
    await page.waitForSelector(`#board .cell[aria-label^="${best}: empty"][aria-label*="; candidate: "]`);
    assert.match(await page.locator('#board .cell[aria-label*="candidate"]').first().getAttribute('aria-label'), /candidate: \d+(\.\d)?%, (ahead|behind) by \d+\.\d$/);
    await page.click('#analyse');
    await page.waitForFunction(() => !document.querySelector('#board .cell[aria-label*=candidate]'));
    const told = await page.evaluate(() => window.told.map(([time]) => time));
    told.slice(1).forEach((time, i) => assert.ok(time - told[i] >= 4900, JSON.stringify(told)));
  },

  // The names of the colours stay at the ends of the bar, whatever the chance is.
  async 'chance bar'(game) {
    const { page } = game;
    await page.keyboard.press('Escape');
    await game.openText('(;GM[stigmergy]SZ[3]KM[4]SBKV[1];B[c3]SBKV[50];W[e1]SBKV[99])');
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
    assert.match(await other.text('#candidates tr:first-child .pv'), /^[a-g]\d( [a-g]\dx?)*$/); // how the game may go on
    assert.ok(Math.abs(await chanceOf(other) - chance) <= 1); // a link rounds it
    assert.equal(await other.page.getAttribute('#analyse', 'aria-pressed'), 'false');
    for (const found of ['x', '2_1_1', '0.5_1_1~d5', '0.5_1_1~z9_0.5_1_1']) { // nonsense is passed over
      await other.page.goto(link.replace(/found=.*/, `found=${found}`));
      await other.page.waitForFunction(() => !location.hash.includes('found=')); // it has been read
    }
    assert.ok(Math.abs(await chanceOf(other) - chance) <= 1); // a link rounds it
    await other.page.context().close();
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

  // The review finds the mistake of a game, lists it, and goes there to try again.
  async 'review'(game) {
    const { page } = game;
    await game.openMistakes();
    await game.review();
    await page.locator('#mistakes li').first().waitFor();
    await page.locator('.graph-black').waitFor();
    assert.match(await page.locator('#mistakes .loss').first().innerText(), /^−\d+%, \d+\.\d pts$/);
    assert.match(await page.locator('#mistakes .better').first().innerText(), /^better /);
    assert.equal(await page.locator('#accuracies tr').count(), 2);
    assert.match(await game.text('#accuracies tr:first-child'), /Black\s+\d+(\.\d)?%\s+\d+\.\d%\s+\d+\.\d/);
    assert.ok(await page.locator('.loss-dot').count() > 0);
    await game.shows('#loss-key', 'Stones: 1%3%8% lost');
    await page.click('#losses');
    assert.equal(await page.locator('.loss-dot').count(), 0);
    assert.equal(await page.isVisible('#loss-key'), false);
    await page.reload(); // the browser keeps it, and the effort
    await page.waitForSelector('body[data-ready]');
    assert.equal(await page.getAttribute('#losses', 'aria-pressed'), 'false');
    assert.equal(await page.inputValue('#review-limit'), 'maxSims 1000');
    await page.click('#losses');
    const mistake = await page.locator('#mistakes .link').first().innerText();
    const number = Number(mistake.match(/^(\d+)\./)[1]);
    await page.locator('#mistakes .link').first().click();
    await game.turn(number);
    assert.equal(await page.locator('.better-turn .ghost').count(), 1); // where it should have been
    await game.shows('#loss-key', 'better turn');
    await page.click('#analyse'); // that shows what may follow
    await page.waitForFunction(() => !document.querySelector('.better-turn .ghost'));
    await page.click('#analyse');
    await page.waitForFunction(() => document.querySelector('.better-turn .ghost'));
    assert.match(await page.locator('#mistakes .small').first().getAttribute('aria-label'), /^Retry \d\. \w\d$/);
    await page.locator('#mistakes .small').first().click();
    await game.turn(number - 1);
    await game.shows('#message', 'Try again');
    const box = await page.locator('#graph').boundingBox();
    await page.mouse.click(box.x + box.width - 2, box.y + 20);
    await game.turn(7);
    await page.mouse.move(box.x + 1, box.y + 20);
    await game.shows('#graph-text', /^Start: Black/);
    await page.mouse.move(2, 2);
    await game.shows('#graph-text', /^7\. b3: Black/);
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

  // The dot of what a turn lost is on the stone of that turn: not on it when it has been flipped.
  async 'losses and flips'(game) {
    const { page } = game, dots = page.locator('.loss-dot');
    await game.startForTwo(3, 0);
    await game.openText('(;GM[stigmergy]SZ[3]KM[0]AB[c1][c5][a1]PL[W]SBKV[20];W[c3]SBKV[90];B[e3];W[b3];B[c3x])');
    await game.shows('#accuracy-of', 'From 1 of 4 turns:');
    for (const [turn, count] of [[1, 1], [2, 1], [3, 1], [4, 0]]) {
      await page.keyboard.press('ArrowRight');
      await game.turn(turn);
      assert.equal(await dots.count(), count, `turn ${turn}`);
    }
  },

  // The review of a game stays while one tries something else, also after a reload; a button leads back.
  async 'review and variations'(game) {
    const { page } = game, listed = () => page.locator('#mistakes .link').allInnerTexts();
    await game.openMistakes();
    await game.review();
    const before = await listed(), accuracy = await game.text('#accuracies');
    const number = Number(before[0].match(/^(\d+)\./)[1]);
    await page.evaluate(() => scrollTo(0, 1e6)); // the board stays in sight
    assert.ok(await page.evaluate(() => scrollY > 0 && document.querySelector('.players').getBoundingClientRect().top >= 0));
    await page.locator('#mistakes .small').first().click();
    await game.turn(number - 1);
    assert.equal(await page.isVisible('#to-game'), false);
    await page.locator(`.cell.open:not([aria-label^="${before[0].split(' ')[1]}:"]) .ground`).first().click();
    await game.turn(number);
    assert.deepEqual(await listed(), before);
    assert.equal(await game.text('#accuracies'), accuracy);
    assert.deepEqual(await page.locator('#graph-turns span').allInnerTexts(), ['0', '2', '4', '6']);
    await game.shows('#review', 'Review this variation');
    if (pictures) await page.screenshot({ path: `${pictures}/variation.png` });
    await page.reload();
    await game.turn(number);
    assert.deepEqual(await listed(), before);
    await page.click('#to-game');
    await game.turn(number - 1);
    assert.equal(await page.isVisible('#to-game'), false);
    await page.keyboard.press('End');
    await game.turn(7);
    await page.keyboard.press('Home');
    await game.turn(0);
    await game.play(0);
    await page.click('#review'); // now it is about the variation
    await game.shows('#review', 'Review deeper');
    assert.equal(await page.isVisible('#to-game'), false);
    assert.deepEqual(await page.locator('#graph-turns span').allInnerTexts(), ['0', '1']);
    await page.setViewportSize({ width: 390, height: 844 }); // a tap below the board shows the board
    for (const [place, turn] of [['#tree .turn >> nth=-1', 1], ['#variations button >> nth=0', 1], ['#tree .turn >> nth=0', 0]]) {
      await page.evaluate(() => scrollTo(0, 1e6));
      assert.ok(await page.evaluate(() => document.querySelector('#board').getBoundingClientRect().bottom < 300));
      await page.locator(place).click();
      await game.turn(turn);
      await page.waitForFunction(() => document.querySelector('#board').getBoundingClientRect().top >= 0);
    }
  },

  // An opened game, and one that has ended, stays the game while one tries other turns, without any review. Its result is
  // known, also where only the rules say it.
  async 'game and variations'(game) {
    const { page } = game, turns = () => page.locator('#graph-turns span').allInnerTexts();
    await page.keyboard.press('Escape');
    await game.openText('4 pie c3 a1 c4 a2 d3 a3 b3');
    await page.keyboard.press('ArrowRight');
    await game.turn(1);
    assert.equal(await page.isVisible('#to-game'), false);
    await game.play(18);
    assert.deepEqual(await turns(), ['0', '2', '4', '6']);
    await page.click('#to-game');
    await game.turn(1);
    await page.keyboard.press('End');
    await game.turn(7);
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    await page.click('#resign');
    await game.shows('#status', 'White wins: Black resigned');
    await page.keyboard.press('Home');
    await game.turn(0);
    await game.play(18, 1, 2);
    assert.deepEqual(await turns(), ['0', '1', '2']);
    await page.click('#games');
    await game.shows('#games-list', '2 turns · Black resigned');
    await page.click('#games-dialog [data-close]');
    await page.reload();
    await game.turn(3);
    await page.click('#to-game');
    await game.turn(0);
    await game.openText('(;GM[stigmergy]SZ[2]KM[0]AB[a1][a2][b1][b3][c1][c2];B[pass];W[pass])');
    await game.shows('#message', 'The game is open. Result: B+7.');
    await page.click('#games');
    await game.shows('#games-list', '2 turns · B+7');
  },

  // The turns that follow are outlined on the board, with what they lost: the game's, and variations. The list of
  // candidates has the game's turn, too.
  async 'next turn'(game) {
    const { page } = game, outlines = () => page.locator('.next-turn:is(polygon)').evaluateAll((all) => all.map((one) => one.getAttribute('class').trim().replaceAll(/ +/g, ' ')));
    await page.keyboard.press('Escape');
    await game.openText('(;GM[stigmergy]SZ[3]KM[4]SBKV[50];B[c3]SBKV[52](;W[e1]SBKV[90];B[b2])(;W[d3]SBKV[54]))');
    assert.deepEqual(await outlines(), ['next-turn rank-0']);
    await page.keyboard.press('ArrowRight');
    await game.turn(1);
    assert.deepEqual((await outlines()).sort(), ['next-turn aside rank-1', 'next-turn rank-3']);
    await page.keyboard.press('ArrowRight');
    await game.turn(2);
    assert.deepEqual(await outlines(), ['next-turn']); // nobody knows what it loses
    await page.keyboard.press('ArrowLeft');
    await game.turn(1);
    assert.ok(await page.isVisible('#next-key'));
    await page.click('#analyse');
    await page.waitForFunction(() => document.querySelectorAll('#candidates tr').length === 9 && /^e1/.test(document.querySelector('#candidates tr:last-child.played').textContent));
    await page.click('#analyse');
    await page.keyboard.press('End');
    await game.turn(3);
    assert.deepEqual(await outlines(), []);
    assert.equal(await page.isVisible('#next-key'), false);
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
    await page.setViewportSize({ width: 390, height: 844 }); // the board and what is to be done are both in sight
    await page.click('#learn');
    await game.turn(first - 1);
    await game.shows('#learn-text', 'Find a better turn');
    const [board, panel] = await Promise.all(['#board', '#learn-panel'].map((part) => page.locator(part).boundingBox()));
    assert.ok(board.y >= 0 && board.y + board.height <= panel.y && panel.y + panel.height <= 844, JSON.stringify({ board, panel }));
    if (pictures) await page.screenshot({ path: `${pictures}/learn-on-a-phone.png` });
    await page.setViewportSize({ width: 1280, height: 820 });
    for (const part of ['#mistakes', '#graph-frame', '#graph-legend', '#enlarge', '#chance']) assert.equal(await page.locator(part).isVisible(), false, part);
    assert.equal((await game.text('#learn-text')).includes(`better ${better.get(first)}`), false);
    const cellOf = (name) => page.locator(`.cell[aria-label^="${name}:"] .ground`);
    assert.equal(await page.locator('.next-turn:is(polygon)').count(), 1); // the mistake, and nothing else
    const played = (await game.text('#learn-text')).match(/played (\w+) here/)[1];
    await cellOf(played).click();
    await game.shows('#learn-text', `${played} is what was played. Try another one.`);
    await game.turn(first - 1);
    assert.equal(await page.locator('.turn').count(), before); // no variation is left behind
    await page.click('#learn-solution');
    await page.locator('.variation .ghost').first().waitFor();
    await cellOf(played).hover(); // the solution gives way to what is pointed at, and comes back
    assert.equal(await page.locator('.variation .ghost').count(), 0);
    await page.mouse.move(2, 2);
    await page.locator('.variation .ghost').first().waitFor();
    await cellOf(better.get(first)).click();
    await game.shows('#learn-text', 'Right:');
    assert.equal(await page.locator('body.learning').count(), 0);
    assert.equal(await page.locator('#learn-solution').isVisible(), false);
    await page.click('#learn-end');
    await page.locator('#learn-panel').waitFor({ state: 'hidden' });
    await page.click('#back');
    await game.turn(first - 1);
    await page.keyboard.press('End'); // the game goes on as it was played
    await game.turn(7);
    await page.click('#games');
    await game.shows('#games-list', /· 7 turns/);
  },

  // The list of mistakes: whose, in which order, the worst five or all; one learns from those that are chosen.
  async 'choice of mistakes'(game) {
    const { page } = game, turns = 'e5 d3 f4 c5 g3 e7 d6 b4 c2 h3'.split(' ');
    const chances = [0.04, 0.1, 0.2, 0.05, 0, 0.3, 0.07, 0.25, 0.15, 0.06], points = [9, 1, 2, 8, 0, 3, 7, 4, 5, 6];
    await game.keptReview(turns, chances, points);
    const shows = async (...numbers) => {
      const listed = (await page.locator('#mistakes .link').allInnerTexts()).map((text) => parseInt(text, 10));
      assert.deepEqual(listed, numbers);
    };
    await shows(6, 8, 3, 9, 2);
    await page.selectOption('#mistakes-by', 'points');
    await shows(1, 4, 7, 10, 9);
    await page.selectOption('#mistakes-by', 'turn');
    await shows(2, 3, 6, 8, 9);
    assert.equal(await game.text('#mistakes-all'), 'All 9');
    await page.locator('#mistakes-all').press('Enter');
    await shows(1, 2, 3, 4, 6, 7, 8, 9, 10);
    await page.selectOption('#mistakes-of', 'W');
    await shows(2, 4, 6, 8, 10);
    assert.equal(await page.isVisible('#mistakes-all'), false);
    await page.selectOption('#mistakes-of', 'B');
    await page.selectOption('#mistakes-by', 'chance');
    await shows(3, 9, 7, 1);
    await page.click('#learn');
    await game.shows('#learn-text', '1 of 4: Black played e5 here');
    assert.equal(await page.isVisible('#mistakes-choice'), false);
    await page.click('#learn-end');
    await page.selectOption('#mistakes-of', '');
    await shows(6, 8, 3, 9, 2, 7, 10, 4, 1);
    await game.keptReview(turns, chances.map((chance, i) => (i % 2 ? 0 : chance)), turns.map(() => null)); // a game without points
    await page.selectOption('#mistakes-of', 'W');
    await shows();
    assert.ok(await page.isDisabled('#learn'));
    assert.equal(await page.locator('#mistakes-by option:not([hidden])').count(), 2);
  },

  // The graph, enlarged: scales, the turns of mistakes; by the pointer, the keyboard and a finger, also on a phone.
  async 'large graph'(game) {
    const { page } = game, turns = 'e5 d3 f4 c5 g3 e7 d6 b4 c2 h3'.split(' ');
    await page.keyboard.press('Escape');
    assert.ok(await page.isDisabled('#enlarge'));
    const lost = [0.04, 0.1, 0.2, 0.05, 0, 0.3, 0.07, 0.25, 0.15, 0.06], points = turns.map(() => 1);
    await game.keptReview(turns, lost, points);
    await page.keyboard.press('e');
    await game.shows('#chart-text', /^10\. h3: Black 50%, B\+0\.0, lost 6%$/);
    const texts = await page.locator('#chart text').allTextContents();
    for (const words of ["Black's chance", '100%', '50%', 'Lead in points', 'B+4', 'W+4', 'Turn', '10']) assert.ok(texts.includes(words), words);
    assert.equal(await page.locator('#chart .graph-mistake').count(), 5);
    assert.deepEqual((await page.locator('#chart .chart-number').allTextContents()).map(Number).sort((a, b) => a - b), [2, 3, 6, 8, 9]);
    for (const [key, turn] of [['ArrowLeft', 9], ['Home', 0], ['ArrowRight', 1], ['PageUp', 10], ['End', 10], ['ArrowLeft', 9]]) {
      await page.keyboard.press(key);
      await page.waitForSelector(`#chart[aria-valuenow="${turn}"]`);
    }
    await page.keyboard.press('Enter');
    await game.turn(9);
    await page.locator('#chart-dialog').waitFor({ state: 'hidden' });
    const at = (tab, turn) => tab.evaluate((part) => { // a point of the large graph, which may be drawn again at any time: so at one go
      const names = [...document.querySelectorAll('#chart text[text-anchor=middle]:not(.chart-number)')];
      const [first, last] = ['0', '10'].map((number) => names.find(({ textContent }) => textContent === number).getBoundingClientRect());
      const start = first.x + first.width / 2;
      return [start + (last.x + last.width / 2 - start) * part, first.y - 40];
    }, turn / 10);
    await page.click('#enlarge');
    await page.mouse.move(...await at(page, 4));
    await game.shows('#chart-text', /^4\. c5: /);
    await page.keyboard.press('Escape');
    await page.locator('#chart-dialog').waitFor({ state: 'hidden' });
    assert.equal(await game.played, 9);
    await page.click('#enlarge');
    await page.mouse.click(...await at(page, 6));
    await game.turn(6);
    await page.locator('#chart-dialog').waitFor({ state: 'hidden' });
    await page.click('#learn');
    await game.shows('#learn-text', '1 of 5');
    await page.keyboard.press('e'); // it would tell
    assert.equal(await page.isVisible('#chart-dialog'), false);
    const context = await game.browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }), tab = await context.newPage();
    await tab.goto(page.url().split('#')[0]);
    const phone = new Game(tab);
    await phone.keptReview(turns, lost, points);
    await tab.tap('#enlarge');
    await tab.touchscreen.tap(...await at(tab, 3)); // a finger chooses, the button goes there
    await phone.shows('#chart-text', /^3\. f4: /);
    assert.ok(await tab.evaluate(() => { const { left, right } = document.querySelector('#chart-dialog').getBoundingClientRect(); return left >= 0 && right <= innerWidth; }));
    assert.equal(await phone.played, 10);
    await tab.tap('#chart-go');
    await phone.turn(3);
    await context.close();
  },

  // Keys and buttons lead from one mistake of the game to the next, also out of a variation; not while one learns.
  async 'from mistake to mistake'(game) {
    const { page } = game, turns = 'e5 d3 f4 c5 g3 e7'.split(' '), points = turns.map(() => 1);
    await page.keyboard.press('Escape');
    assert.ok(await page.isDisabled('#next-mistake'));
    await game.keptReview(turns, [0.04, 0.1, 0.2, 0.05, 0.079, 0.3], points);
    assert.ok(await page.isDisabled('#next-mistake'));
    for (const [key, turn] of [[',', 3], [',', 2], [',', 2], ['.', 3], ['.', 6]]) {
      await page.keyboard.press(key);
      await game.turn(turn);
    }
    await page.keyboard.press('Home');
    await game.turn(0);
    assert.ok(await page.isDisabled('#last-mistake'));
    await page.click('#next-mistake');
    await game.turn(2);
    await game.play(0);
    await game.shows('#review', 'Review this variation');
    await page.keyboard.press(',');
    await page.locator('#to-game').waitFor({ state: 'hidden' });
    await game.turn(2);
    await game.play(0);
    await game.shows('#review', 'Review this variation');
    await page.keyboard.press('.');
    await page.locator('#to-game').waitFor({ state: 'hidden' });
    await game.turn(3);
    await page.click('#learn');
    await game.turn(1);
    await page.keyboard.press('.');
    await page.keyboard.press('End');
    await game.turn(6); // and at no other turn before
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
    await page.waitForFunction(() => document.querySelector('#save-text').value.startsWith('1. 1 play-second'));
    await page.check('#save-dialog input[value=record]');
    await game.shows('#save-dialog .error', 'not over');
    await page.check('#save-dialog input[value=state]'); // the site has no board of this size
    await game.shows('#save-dialog .error', 'boards of size 7 to 10');
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
    await game.shows('#open-dialog .error', /^move 1: 'nonsense' is not a move/);
    await page.fill('#open-text', '(;GM[1]FF[4]SZ[19]KM[6.5];B[pd])');
    await page.click('#open-dialog button.primary');
    await game.shows('#open-dialog .error', /^this is a game of Go \(GM\[1\]\), expected one of stigmergy, bug or sgolte$/);
    await page.fill('#open-text', sgf);
    await page.click('#open-dialog button.primary');
    await game.turn(0);
    assert.equal(await page.locator('.turn').count(), 4);
    for (const [list, komi] of [['1. c3 2. a1', '+ 1'], ['c3 take-button', '+ 1'], ['4 c3 a1', '+ 4'], ['d3 c4', '+ 4']]) { // where a list has none
      await game.openText(list);
      await page.waitForFunction(() => document.querySelectorAll('.turn').length === 3);
      await game.shows('#player-W .points', komi);
    }
  },

  // The text of a file that is chosen is there each time it is chosen, and gone when the dialog opens again.
  async 'chosen file'(game) {
    const { page } = game;
    await page.keyboard.press('Escape');
    await page.click('#open');
    await page.setInputFiles('#open-file', { name: 'a.sgf', mimeType: 'text/plain', buffer: Buffer.from('(;SZ[3];B[c3])') });
    await page.waitForFunction(() => document.querySelector('#open-text').value === '(;SZ[3];B[c3])' && !document.querySelector('#open-file').value);
    await page.click('#open-dialog button.primary');
    await game.hasBoard(3);
    await page.click('#open');
    assert.equal(await page.inputValue('#open-text'), '');
  },

  // A text of several games: the first is opened, and the others from there; one that cannot be read is passed over.
  async 'several games'(game) {
    const { page } = game, next = page.locator('#message button');
    await page.keyboard.press('Escape');
    await game.openText('(;SZ[3]C[one];B[c3]) (;GM[1]SZ[19]) (;SZ[4]KM[4]RE[W+R];B[d4])');
    await game.shows('#message', 'The game is open. It is game 1 of 3 in this file.');
    await page.keyboard.press('End');
    await game.turn(1);
    await next.click();
    await game.shows('#message.error', 'Game 2: this is a game of Go');
    await next.click();
    await game.shows('#message', 'The game is open. Result: Black resigned. It is game 3 of 3 in this file.');
    await game.hasBoard(4);
    assert.equal(await next.count(), 0);
    await page.click('#games');
    assert.equal(await page.locator('#games-list .game-of').count(), 2);
    await page.click('#games-dialog [data-close]');
  },

  // The board as a picture: SVG that needs no page, and PNG; both look as on the page.
  async pictures(game) {
    const { page } = game;
    await page.goto(`${page.url().split('#')[0]}#game=stigmergy&size=3&komi=0&moves=c3.a1.c4.a2.d3`);
    await page.waitForSelector('body[data-turn="5"]');
    await page.keyboard.press('Escape');
    const colours = {};
    for (const [format, type] of [['svg', 'image/svg+xml'], ['png', 'image/png']]) {
      await page.click('#save');
      await page.check(`#save-dialog input[value=${format}]`);
      await page.locator('#save-picture').waitFor();
      await page.waitForFunction(() => document.querySelector('#save-picture').naturalWidth === 1200);
      if (pictures) await page.screenshot({ path: `${pictures}/picture-${format}.png` });
      const download = page.waitForEvent('download');
      await page.click('#save-file');
      const file = readFileSync(await (await download).path());
      assert.equal((await download).suggestedFilename(), `stigmergy-3-5.${format}`);
      if (format === 'svg') assert.equal((file.toString().match(/<circle[^>]*r="0.68"/g) ?? []).length, 5);
      // What is in the middle of three stones, and beside the board.
      colours[format] = await page.evaluate(async ([url, points]) => {
        const image = new Image();
        image.src = url;
        await image.decode();
        const context = Object.assign(document.createElement('canvas'), { width: 1200, height: 1100 }).getContext('2d');
        context.drawImage(image, 0, 0);
        const { x, width } = document.querySelector('#board').viewBox.baseVal, { y } = document.querySelector('#board').viewBox.baseVal;
        return points.map(([cx, cy]) => [...context.getImageData(1200 * (cx - x) / width, 1200 * (cy - y) / width, 1, 1).data]);
      }, [`data:${type};base64,${file.toString('base64')}`, [[0, 0], [Math.sqrt(3), 0], [-Math.sqrt(3), 3], [-5.2, -3.9]]]);
    }
    const [last, black, white, paper] = colours.png;
    assert.deepEqual(colours.svg, colours.png);
    assert.ok(black[0] < 80 && white[0] > 200 && last[0] < 120, JSON.stringify(colours));
    assert.deepEqual(paper, [244, 242, 237, 255]);
  },

  // A file that is dropped onto the page is opened; one that is no game is named in a clear line.
  async 'drag and drop'(game) {
    const { page } = game;
    const drop = async (name, text, selector = '#board') => {
      const data = await page.evaluateHandle(([file, content]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], file));
        return transfer;
      }, [name, text]);
      await page.dispatchEvent(selector, 'dragover', { dataTransfer: data });
      assert.equal(await page.locator('body.dropping').count(), 1);
      await page.dispatchEvent(selector, 'drop', { dataTransfer: data });
      assert.equal(await page.locator('body.dropping').count(), 0);
    };
    await drop('game.sgf', '(;GM[stigmergy]SZ[4]KM[0];B[d4];W[a1])', '#new-dialog');
    await page.locator('#new-dialog').waitFor({ state: 'hidden' });
    await game.shows('#message', 'The game is open.');
    assert.equal(await page.locator('#message.error').count(), 0);
    await game.hasBoard(4);
    await drop('nonsense.txt', 'nonsense');
    await game.shows('#message.error', /^nonsense.txt: move 1: 'nonsense' is not a move/);
    await drop('large.sgf', ' '.repeat(600000));
    await game.shows('#message.error', 'large.sgf: this is larger than 512 KiB, expected a game');
    await page.click('#open');
    await drop('bad.sgf', '(;', '#open-dialog');
    await game.shows('#open-dialog .error', 'bad.sgf: ');
    assert.equal(await page.locator('.turn').count(), 3); // the game is as it was
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
    await game.startForTwo(5, 7); // too large to be proven, which would replace the search that is kept
    await game.play(30);
    await page.click('#analyse');
    await page.locator('#candidates tr').nth(7).waitFor();
    await page.click('#analyse');
    const chance = await game.text('#chance-B');
    await page.reload();
    await game.turn(1);
    assert.equal(await game.text('#chance-B'), chance);
    await page.click('#share'); // eight candidates are kept for what is on the board
    assert.equal((await page.inputValue('#share-text')).split('%7E').length, 9);
    await page.keyboard.press('Escape');
    // A search that is known is not replaced by one that has not come as far: it goes on beside it, and completes it.
    await page.addInitScript(() => {
      const kept = JSON.parse(sessionStorage['stigmergy-game']), found = kept.found[1];
      Object.assign(found, { sims: 5e8, proven: false, winrate: 0.25, moves: found.moves.slice(0, 1) });
      sessionStorage['stigmergy-game'] = JSON.stringify(kept);
    });
    await page.reload();
    await game.turn(1);
    await page.click('#heat');
    await game.shows('#search-state', /^500\.0M simulations · again \d/);
    await page.locator('.owner').first().waitFor();
    await page.locator('#candidates tr').nth(7).waitFor();
    assert.equal(await game.text('#chance-B'), 'Black 25%');
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

  // The same game in two tabs, one of them duplicated (it has the storage of the other): both keep what they play.
  async 'one game in two tabs'(game) {
    const { page } = game;
    await game.startForTwo(3, 1);
    await game.play(9);
    const kept = await page.evaluate(() => sessionStorage['stigmergy-game']);
    const other = new Game(await page.context().newPage());
    await other.page.addInitScript((text) => { sessionStorage['stigmergy-game'] ??= text; }, kept);
    await other.page.goto(page.url());
    await other.turn(1);
    await other.page.waitForSelector('body[data-ready]');
    const all = () => JSON.stringify(Object.entries(localStorage).sort());
    const passOn = async (from, to) => to.page.waitForFunction(`(${all})() === ${JSON.stringify(await from.page.evaluate(all))}`); // what one tab keeps comes to the other a little later
    await passOn(other, game);
    await game.play(0);
    await passOn(game, other);
    await other.play(18, 1);
    await passOn(other, game);
    await game.play(7);
    const listed = async ({ page: at }) => {
      await at.click('#games');
      const lines = await at.locator('#games-list .game-of b').allInnerTexts();
      await at.click('#games-dialog [data-close]');
      return lines.map((line) => line.split(' · ').at(-1)).sort();
    };
    assert.deepEqual(await listed(game), ['3 turns', '3 turns']);
    await game.play(2);
    await page.reload();
    await game.turn(4);
    await passOn(game, other);
    await other.page.reload();
    await other.turn(3);
    assert.equal(await other.page.locator('.stone').count(), 3);
    assert.deepEqual(await listed(other), ['3 turns', '4 turns']);
  },

  // No game goes as long as there is room, however many there are.
  async 'many games are kept'(game) {
    const { page } = game;
    await game.startForTwo(3, 1);
    await game.play(9);
    const count = (more) => page.evaluate((copies) => {
      const games = () => Object.entries(localStorage).filter(([key]) => key.startsWith('stigmergy-games/'));
      const [[key, text]] = games();
      for (let i = 0; i < copies; i++) localStorage.setItem(`${key}-${i}`, JSON.stringify({ ...JSON.parse(text), id: `old-${i}`, when: i }));
      return games().length;
    }, more);
    const before = await count(120);
    await game.startForTwo(3, 2);
    await game.play(9);
    assert.equal(await count(0), before + 1);
    assert.equal(await page.locator('#message').isVisible(), false);
  },

  // A storage that is full: candidates of old games go first, then the oldest game; the page says so, and saves it.
  async 'storage is full'(game) {
    const { page } = game;
    await page.addInitScript(() => {
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (key, value) {
        const others = Object.entries(localStorage).filter(([name]) => name !== key);
        const used = others.reduce((sum, [name, text]) => sum + name.length + text.length, key.length + value.length);
        if (this === localStorage && used > Number(localStorage.room ?? 1e6)) throw new Error('full');
        setItem.call(this, key, value);
      };
    });
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    const kept = () => page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('stigmergy-games/')).map(([, text]) => JSON.parse(text))
      .sort((a, b) => a.when - b.when).map(({ settings, found }) => `${settings.komi}:${found.some((analysis) => analysis?.moves.length) ? 'thick' : found.some(Boolean) ? 'thin' : 'bare'}`));
    const fill = (rest) => page.evaluate((room) => { localStorage.room = Object.entries(localStorage).reduce((sum, [key, text]) => sum + key.length + text.length, room); }, rest);
    await game.startForTwo(3, 1);
    await game.play(9);
    await page.click('#analyse');
    await page.locator('.candidate.best').waitFor();
    await game.shows('#search-state', /[kM] sim|proven/); // so there is much to give way
    await page.click('#analyse');
    await game.startForTwo(3, 2);
    await game.play(0);
    assert.deepEqual(await kept(), ['1:thick', '2:bare']);
    await fill(100);
    await game.startForTwo(3, 3);
    await game.play(18);
    assert.deepEqual(await kept(), ['1:thin', '2:bare', '3:bare']);
    assert.equal(await page.locator('#message').isVisible(), false);
    await fill(100);
    await game.startForTwo(3, 4);
    await game.play(18);
    await game.shows('#message', 'It no longer keeps the oldest game: Stigmergy 3, komi 1 · two people · 1 turn.');
    await game.play(0);
    assert.deepEqual(await kept(), ['2:bare', '3:bare', '4:bare']);
    const download = page.waitForEvent('download');
    await page.locator('#message button', { hasText: 'Save to a file' }).click();
    const file = readFileSync(await (await download).path(), 'utf8');
    assert.match(file, /KM\[1\][^]*;B\[c3\]SBKV/);
    await game.play(9);
    assert.equal(await game.text('#message'), '');
  },

  // Turns that were removed with all that follows them come back, the last first, also from another position.
  async 'removed by mistake'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0, 18);
    await page.click('#back');
    await game.turn(2);
    await page.click('#cut');
    await game.turn(1);
    assert.equal(await page.locator('.turn').count(), 2);
    await page.click('#cut');
    await game.turn(0);
    await game.play(0, 9);
    await page.click('#take-back');
    await game.turn(1);
    await page.keyboard.press('Home');
    await game.turn(0);
    await page.click('#take-back');
    await game.turn(2);
    assert.equal(await page.locator('.turn').count(), 6);
    assert.equal(await page.isVisible('#take-back'), false);
    await page.keyboard.press('End');
    await game.turn(3);
    await page.click('#cut');
    await game.turn(2);
    await game.play(18); // the same turn again: both are one
    await page.locator('.cell.open .ground').first().click();
    await game.turn(4);
    await page.click('#take-back');
    await game.turn(3);
    assert.equal(await page.locator('.turn').count(), 7);
    await page.keyboard.press('End');
    await game.turn(4);
    await page.click('#cut');
    await game.startForTwo(3, 1);
    assert.equal(await page.isVisible('#take-back'), false);
  },

  // A variation becomes the main line: the first one in the tree and in files, also where another one was played to its
  // end, and what graph and review are about. That can be taken back.
  async 'main line'(game) {
    const { page } = game, siblings = () => page.locator('#variations [aria-label=Next] button').allInnerTexts();
    await game.startForTwo(3, 0);
    await game.play(9, 0, 4);
    assert.ok(await page.isDisabled('#main-line'));
    await page.click('#resign');
    await game.shows('#status', 'Black wins: White resigned');
    await game.review();
    await page.keyboard.press('Home');
    await game.turn(0);
    assert.ok(await page.isDisabled('#main-line'));
    await game.play(18, 5, 0); // all of them are new
    await page.keyboard.press('ArrowLeft');
    await game.turn(2);
    await game.shows('#review', 'Review this variation');
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.querySelector('#main-line').disabled);
    await game.shows('#review', 'Review the game');
    assert.deepEqual(await page.locator('#graph-turns span').allInnerTexts(), ['0', '1', '2', '3']);
    await page.reload();
    await game.turn(2);
    assert.ok(await page.isDisabled('#main-line'));
    await page.keyboard.press('Home');
    await game.turn(0);
    assert.deepEqual(await siblings(), ['1. a3', '1. c3']);
    await page.locator('#variations button').nth(1).click();
    await game.turn(1);
    await page.keyboard.press('End');
    await game.shows('#status', 'Black wins: White resigned');
    await game.shows('#review', 'Review this variation');
    const sgf = await game.sgf(/SZ\[3\]/);
    assert.match(sgf, /\(;B\[a3\][^]*\(;B\[c3\]/);
    assert.doesNotMatch(sgf, /RE\[/); // it would be that of the first variation
    await page.locator('#main-line').press('Enter');
    await page.click('#take-back'); // Old main line
    await game.shows('#review', 'Review this variation');
    await page.locator('#main-line').press('Enter');
    await page.waitForFunction(() => document.querySelector('#main-line').disabled);
    assert.match(await game.sgf(/RE\[B\+R\]/), /\(;B\[c3\][^]*\(;B\[a3\]/);
    await page.keyboard.press('Home');
    await game.turn(0);
    assert.deepEqual(await siblings(), ['1. c3', '1. a3']);
    await page.locator('#variations button').nth(1).click();
    await game.turn(1);
    await page.click('#cut');
    await game.turn(0);
    assert.equal(await game.text('#take-back'), 'Bring back');
    await page.click('#take-back');
    await game.turn(1);
    assert.equal(await game.text('#take-back'), 'Old main line');
    await page.click('#take-back');
    await page.keyboard.press('Home');
    await game.turn(0);
    assert.deepEqual(await siblings(), ['1. a3', '1. c3']);
    assert.equal(await page.isVisible('#take-back'), false);
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
    await page.click('#players'); // seconds a move, for one of two computers; they stay where nothing is changed
    assert.equal(await page.isVisible('#players-time'), false);
    await page.selectOption('#players-W', 'time');
    await page.fill('#players-time input', '100');
    await page.click('#players-dialog button.primary');
    await game.shows('#players-dialog .error', 'Seconds a move: expected a number from 0.1 to 60');
    await page.fill('#players-time input', '0.2');
    await page.click('#players-dialog button.primary');
    await game.turn(4);
    await page.click('#players');
    assert.equal(await page.inputValue('#players-time input'), '0.2');
    await page.selectOption('#players-B', '1');
    await page.click('#players-dialog button.primary');
    await game.shows('#player-B .name', 'Stigmergy (beginner)');
    assert.equal(await game.text('#player-W .name'), 'Stigmergy (0.2 s a move)');
    await page.waitForFunction(() => Number(document.body.dataset.turn) >= 7, null, { timeout: PATIENCE });
  },

  // After a reload the computer goes on where it was to move; not where somebody looks at an earlier turn.
  async 'computer goes on'(game) {
    const { page } = game, kept = {
      settings: { game: 'stigmergy', size: 3, komi: 0 }, seats: { B: 0, W: 1 }, names: { B: 'You', W: '' }, current: 1, nodes: [{ parent: 0, turn: 'c3' }],
    };
    await page.addInitScript((text) => sessionStorage.setItem('stigmergy-game', text), JSON.stringify(kept));
    await page.goto(page.url().split('#')[0]);
    await game.turn(2);
    await page.keyboard.press('ArrowLeft');
    await game.turn(1);
    await page.click('#games');
    await page.locator('#games-list .game-of').first().click();
    await game.shows('#message', 'The game is open.');
    await page.evaluate(() => new Promise((resolve) => { setTimeout(resolve, 300); }));
    assert.deepEqual([await game.played, await page.locator('.turn').count(), await page.isVisible('#resume')], [1, 3, true]);
  },

  // Variants of a game: in the dialog where the game has them, in its name, its rules, its link and its file. The computer
  // says that it swaps.
  async 'variants'(game) {
    const { page } = game, shown = () => page.locator('#new-dialog fieldset:visible legend').allInnerTexts();
    const rules = async () => {
      await page.click('#help');
      const text = await game.text('#help-dialog');
      await page.click('#help-dialog button.primary');
      return text;
    };
    await game.startForTwo(3, 0);
    await page.click('#new');
    assert.ok(!(await shown()).some((text) => /first stone|captures/.test(text)));
    await game.start({ game: 'bug', size: 3, checks: [{ name: 'opponent', value: 'person' }, { name: 'pie', value: 'on' }] });
    await game.shows('#game-name', 'Bug with the pie rule · size 3');
    await game.play(9);
    await page.click('[data-action=swap]');
    await game.turn(2);
    assert.match(page.url(), /pie=on/);
    assert.match(await rules(), /Bug with the pie rule in a minute[^]*may swap colours/);
    await game.start({ game: 'sgolte', size: 3, level: 8, checks: [{ name: 'opponent', value: 'computer' }, { name: 'side', value: 'B' }, { name: 'capture', value: 'line' }] });
    await game.shows('#game-name', 'Sgolte, captures in a line · size 3');
    assert.equal(await page.inputValue('#new-dialog [name=pie]:checked'), 'on');
    assert.match(await rules(), /captures in a line in a minute[^]*on a straight line[^]*may swap colours/);
    await game.cell(9).click();
    await game.shows('#message', 'The computer swaps: you play White now.');
    await page.waitForSelector('#player-W.to-move');
    assert.equal(await game.text('#player-W .name'), 'You');
    await page.locator('.cell.open .ground').first().click();
    await game.turn(4);
    await page.click('#games');
    await game.shows('#games-list', 'Sgolte 3, captures in a line · You – Stigmergy (strongest) · 4 turns');
    await page.click('#games-dialog [data-close]');
    await page.reload();
    await game.turn(4);
    assert.deepEqual(await page.locator('.turn circle:first-child').evaluateAll((dots) => dots.slice(1).map((dot) => dot.getAttribute('class'))), ['turn-B', 'turn-W', 'turn-W', 'turn-B']);
    await page.click('#players'); // by the colours that they have now
    assert.deepEqual([await page.inputValue('#players-B'), await page.inputValue('#players-W')], ['8', '0']);
    await page.click('#players-dialog button.primary');
    assert.equal(await game.text('#player-W .name'), 'You');
    await page.click('#set-up'); // where nobody has swapped
    await page.click('#set-up-done');
    await game.turn(0);
    await page.waitForSelector('#player-W.to-move');
    assert.deepEqual([await game.text('#player-B .name'), await game.text('#player-W .name'), await game.text('#status')], ['Stigmergy (strongest)', 'You', 'Your turn']);
    await game.openText(await game.sgf(/CA/));
    await game.shows('#game-name', 'Sgolte, captures in a line · size 3');
    await game.start({ game: 'bug', size: 3, checks: [{ name: 'opponent', value: 'person' }] });
    await game.shows('#game-name', /^Bug · size 3$/);
    assert.doesNotMatch(await rules(), /swap/);
  },

  // An end by the rules that is taken back is none: the line that is played then is the game.
  async 'end taken back'(game) {
    const { page } = game;
    await page.keyboard.press('Escape');
    await game.openText('(;GM[stigmergy]SZ[2]KM[0]AB[a1][a2][b1][b3][c1][c2];B[pass];W[pass])');
    await page.keyboard.press('End');
    await game.shows('#status', /wins/);
    for (const turn of [1, 0]) {
      await page.click('#undo');
      await game.turn(turn);
    }
    await game.play(3);
    for (const turn of [2, 3]) {
      await page.click('[data-action=pass]');
      await game.turn(turn);
    }
    await page.click('#games');
    await game.shows('#games-list', /3 turns · B\+/);
    await page.click('#games-dialog [data-close]');
  },

  // Who resigns loses: in words, in the list of games, after a reload, and as the result in SGF. Undo takes it back.
  async 'resign'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9);
    await page.click('#resign');
    await game.shows('#status', 'Black wins: White resigned');
    assert.equal(await page.locator('.cell.open').count(), 0);
    assert.ok(await page.isDisabled('#resign'));
    await game.cell(0).click();
    await game.shows('#message', 'The game is over.');
    await page.reload();
    await game.shows('#status', 'Black wins: White resigned');
    await page.click('#save');
    await page.waitForFunction(() => document.querySelector('#save-text').value.includes('RE[B+R]'));
    const saved = await page.inputValue('#save-text');
    await page.click('#save-dialog [data-close]');
    await page.click('#games');
    await game.shows('#games-list', 'White resigned');
    await page.click('#games-dialog [data-close]');
    await page.keyboard.press('ArrowLeft'); // the result is the game's, not the position's
    await game.turn(0);
    await page.click('#games');
    await game.shows('#games-list', '1 turn · White resigned');
    await page.click('#games-dialog [data-close]');
    await game.play(18, 0); // a variation does not count
    await page.click('#games');
    await game.shows('#games-list', '1 turn · White resigned');
    await page.click('#games-dialog [data-close]');
    await page.keyboard.press('Home');
    await game.turn(0);
    await page.locator('#variations button', { hasText: 'c3' }).click();
    await game.turn(1);
    await page.keyboard.press('ArrowLeft');
    await game.turn(0);
    await page.click('#games');
    await page.locator('#games-list .game-of').first().click();
    await game.shows('#message', 'The game is open. Result: White resigned.');
    await page.keyboard.press('End');
    await game.shows('#status', 'Black wins: White resigned');
    await page.click('#undo');
    await game.shows('#status', 'White to move');
    await game.play(0);
    await game.openText(saved);
    await game.shows('#message', 'The game is open. Result: White resigned.');
    await game.turn(0);
    await page.click('#games');
    await game.shows('#games-list', 'White resigned');
    await page.click('#games-dialog [data-close]');
    await page.keyboard.press('End');
    await game.shows('#status', 'Black wins: White resigned');
    await page.keyboard.press('ArrowLeft');
    await game.turn(0);
    await game.play(18, 0); // a variation does not become the game, unless somebody says so: then it is the first of the file
    await page.click('#resign');
    await game.shows('#status', 'White wins: Black resigned');
    await game.sgf(/RE\[B\+R\][^]*\(;B\[c3\]\)[^]*\(;B\[a3\];W\[e1\]\)/);
    await page.click('#main-line');
    await game.sgf(/RE\[W\+R\][^]*\(;B\[a3\];W\[e1\]\)[^]*\(;B\[c3\]\)/);
    await game.start({ size: 3, level: 1, komi: 0, checks: [agreed, { name: 'opponent', value: 'computer' }, { name: 'side', value: 'W' }] });
    await page.waitForSelector('#player-W.to-move', { timeout: PATIENCE });
    for (let steps = 0; await page.evaluate(() => document.activeElement.id) !== 'resign'; steps++) { // by the keyboard
      assert.ok(steps < 60);
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await game.shows('#status', 'The computer wins: you resigned');
    await game.openText('(;GM[stigmergy]SZ[3]RE[B+7];B[c3];W[a1])'); // a result that the moves do not show is kept
    await game.shows('#message', 'The game is open. Result: B+7.');
    await game.sgf(/RE\[B\+7\]/);
    await page.keyboard.press('End');
    await game.turn(2);
    await game.play(18);
    assert.doesNotMatch(await game.sgf(/SZ\[3\]/), /RE\[/);
  },

  // Who resigns after Undo ends the game there: what was taken back is none of it, also in files.
  async 'resign after undo'(game) {
    const { page } = game, listed = async () => {
      await page.click('#games');
      await game.shows('#games-list', '2 turns · Black resigned');
      await page.click('#games-dialog [data-close]');
    };
    await game.startForTwo(3, 0);
    await game.play(9, 0, 18);
    await page.keyboard.press('u');
    await game.turn(2);
    await page.click('#resign');
    await game.shows('#status', 'White wins: Black resigned');
    await listed();
    const saved = await game.sgf(/RE\[W\+R\]\s*;B\[c3\];W\[e1\]\s*\(;\)\s*\(;B\[a3\]\)\)/);
    await page.click('#save');
    await page.check('#save-dialog input[value=list]');
    await page.waitForFunction(() => /2\. c3 e1\s*$/.test(document.querySelector('#save-text').value));
    await page.click('#save-dialog [data-close]');
    await game.openText(saved);
    await game.shows('#message', 'The game is open. Result: Black resigned.');
    assert.equal(await page.locator('.turn').count(), 4);
    await page.keyboard.press('End');
    await game.shows('#status', 'White wins: Black resigned');
    await page.reload();
    await game.shows('#status', 'White wins: Black resigned');
    await listed();
  },

  // Clocks: a turn takes time, byo-yomi begins again with each turn, an earlier position stops the clock, a reload keeps
  // it. The computer moves in its time, and who has none left loses.
  async 'clock'(game) {
    const { page } = game, left = (colour) => game.text(`#player-${colour} .clock`).then(Number);
    await page.locator('#new-dialog').waitFor();
    await game.stopTime();
    assert.equal(await page.isVisible('#new-dialog [name=minutes]'), false);
    await game.setClock('#new-dialog', 'byoyomi', { minutes: 0, periods: 1, byoyomi: -1 });
    await game.start({ size: 3, komi: 0, checks: [{ name: 'opponent', value: 'person' }, agreed] });
    await game.shows('#new-dialog .error', 'Seconds a turn of the clock: expected a number from 0 to 3600');
    await page.fill('#new-dialog [name=byoyomi]', '0');
    await page.click('#new-start');
    await game.shows('#new-dialog .error', 'The clock has no time');
    await game.setClock('#new-dialog', 'byoyomi', { periods: 1.5, byoyomi: 15 });
    await page.click('#new-start');
    await game.shows('#new-dialog .error', 'Periods of byo-yomi: expected a whole number');
    await page.fill('#new-dialog [name=periods]', '1');
    await page.click('#new-start');
    await game.began(3);
    await page.clock.runFor(300);
    await game.shows('#player-B .clock', /^14\.7$/);
    assert.equal(await left('W'), 15);
    await game.play(9);
    assert.equal(await left('B'), 15);
    await page.clock.runFor(1000);
    await game.shows('#player-W .clock', /^14\.0$/);
    await page.keyboard.press('ArrowLeft');
    await game.turn(0);
    await page.keyboard.press('ArrowRight');
    await game.turn(1);
    await page.reload();
    await game.turn(1);
    assert.equal(await left('W'), 14);
    await page.keyboard.press('ArrowLeft');
    await game.turn(0);
    await page.clock.runFor(5000);
    assert.equal(await left('B'), 14.7);
    await page.keyboard.press('ArrowRight');
    await game.turn(1);
    assert.equal(await left('W'), 14);
    await page.click('#players'); // another clock from here on, then none
    assert.equal(await page.inputValue('#players-dialog [name=byoyomi]'), '15');
    await page.fill('#players-dialog [name=minutes]', '9.5');
    await page.click('#players-dialog button.primary');
    await game.shows('#player-W .clock', /^9:30$/);
    await page.click('#players');
    await game.setClock('#players-dialog', '');
    await page.click('#players-dialog button.primary');
    await page.locator('#player-W .clock').waitFor({ state: 'hidden' });
    await page.click('#new');
    await game.setClock('#new-dialog', 'byoyomi', { minutes: 0.01, periods: 1, byoyomi: 0.5 });
    const asked = hasServer && page.waitForRequest(/api\/search$/);
    await game.start({ size: 3, level: 8, komi: 0, checks: [{ name: 'opponent', value: 'computer' }, { name: 'strength', value: 'level' }, agreed, { name: 'side', value: 'W' }] });
    if (hasServer) assert.deepEqual((await asked).postDataJSON().clock, { timeLeft: 0.6, movesLeft: 0, increment: 0, periodTime: 0.5, periodMoves: 1 });
    await game.began(3);
    await game.turn(1);
    await page.clock.runFor(2000);
    await game.shows('#status', 'The computer wins: you ran out of time');
    const saved = await game.sgf(/RE\[B\+T\]TM\[0.6\]OT\[1x0.5 byo-yomi\][^]*;B\[[a-e]\d\]BL\[0\.\d+\](OB\[1\])?\)/);
    assert.equal(await left('W'), 0);
    await page.click('#undo'); // the turn has its time again, and runs out of it again
    await game.shows('#status', 'Your turn');
    await page.clock.runFor(2000);
    await game.shows('#status', 'The computer wins: you ran out of time');
    await game.openText(saved.replace(/RE\[B\+T\]|BL\[.*?\]|OB\[1\]/g, '')); // a clock of which no turn tells is only kept
    await page.locator('#player-W .clock').waitFor({ state: 'hidden' });
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await game.sgf(/TM\[0.6\]OT\[1x0.5 byo-yomi\]/);
  },

  // A turn that takes longer than a period uses it up; an increment comes after each turn. The computer keeps to both.
  async 'clock with periods'(game) {
    const { page } = game;
    await page.locator('#new-dialog').waitFor();
    await game.stopTime();
    await game.setClock('#new-dialog', 'byoyomi', { minutes: 0, periods: 3, byoyomi: 0.7 });
    await game.start({ size: 3, komi: 0, checks: [{ name: 'opponent', value: 'person' }, agreed] });
    await game.began(3);
    await game.shows('#player-W .clock', /^0\.7 ×3$/);
    await page.clock.runFor(900);
    await game.shows('#player-B .clock', /^0\.5 ×2$/);
    assert.match(await page.getAttribute('#player-B .clock', 'title'), /2 periods/);
    await page.clock.runFor(700);
    await game.shows('#player-B .clock', /^0\.5$/); // the last one
    await game.play(9);
    await game.shows('#player-B .clock', /^0\.7$/);
    await page.clock.runFor(2000);
    await game.shows('#player-W .clock', /^0\.1$/);
    await page.clock.runFor(200);
    await game.shows('#status', 'Black wins: White ran out of time');
    await game.sgf(/RE\[B\+T\]TM\[0\]OT\[3x0.7 byo-yomi\][^]*;B\[c3\]BL\[0.7\]OB\[1\]\)/);
    await page.click('#new');
    await game.setClock('#new-dialog', 'increment', { minutes: 0.05, increment: 1000 });
    await page.click('#new-start');
    await game.began(3);
    await page.clock.runFor(1000);
    await game.play(9);
    await game.shows('#player-B .clock', /^16:42$/); // 2 seconds and the 1000
    await game.sgf(/TM\[3\]OT\[1000 fischer\][^]*;B\[c3\]BL\[1002\]\)/);
    await page.click('#new');
    await game.start({ size: 3, level: 8, komi: 0, checks: [{ name: 'opponent', value: 'computer' }, { name: 'strength', value: 'level' }, agreed, { name: 'side', value: 'W' }] });
    await game.began(3);
    await game.turn(1); // it does not wait for the increment
    await game.shows('#player-B .clock', /^16:43$/);
  },

  // The clock of an opened game shows what each turn had left; it runs where somebody starts it, and goes on from there.
  async 'clock of a file'(game) {
    const { page } = game, clocks = async () => [await game.text('#player-B .clock'), await game.text('#player-W .clock')];
    await game.stopTime();
    await page.keyboard.press('Escape');
    await game.openText('(;GM[stigmergy]SZ[3]TM[600]OT[3x30 byo-yomi];B[c3]BL[65];W[a1]WL[27.5]OW[2];B[e3])');
    assert.deepEqual(await clocks(), ['10:00', '10:00']);
    await page.keyboard.press('End');
    await game.turn(3);
    assert.deepEqual(await clocks(), ['1:05', '0:28 ×2']);
    await page.keyboard.press('ArrowLeft');
    await game.turn(2);
    assert.match(page.url(), /clock=600_3x30&left=65\.0_27\.5x2/);
    await game.sgf(/TM\[600\]OT\[3x30 byo-yomi\]\s*;B\[c3\]BL\[65\];W\[a1\]WL\[27.5\]OW\[2\];B\[e3\]\)/);
    await page.keyboard.press('End');
    await game.turn(3);
    await page.click('#players');
    assert.equal(await page.inputValue('#players-dialog [name=clock]'), '');
    await page.selectOption('#players-dialog [name=clock]', 'byoyomi'); // the file's is what is offered
    assert.equal(await page.inputValue('#players-dialog [name=periods]'), '3');
    await page.click('#players-dialog button.primary');
    await page.clock.runFor(1000);
    await game.shows('#player-W .clock', /^0:27 ×2$/);
    await game.play(18, 7); // who has taken no period has the whole one again
    assert.match(await game.text('#player-W .clock'), /^0:30 ×2$/);
    await game.openText('(;GM[stigmergy]SZ[3]TM[500];B[c3]BL[65])'); // no whole minutes, and no time after them
    await page.keyboard.press('End');
    await game.turn(1);
    await page.click('#players');
    await page.selectOption('#players-dialog [name=clock]', 'byoyomi');
    await page.click('#players-dialog button.primary');
    await page.locator('#players-dialog').waitFor({ state: 'hidden' });
    assert.doesNotMatch(await game.sgf(/TM\[500\]\s*;B\[c3\]BL\[65\]/), /OT\[/);
  },

  // A link tells of the clock, and of an end that is not by the rules.
  async 'clock and resignation in links'(game) {
    const { page } = game;
    await page.locator('#new-dialog').waitFor();
    await game.setClock('#new-dialog', 'byoyomi', { minutes: 10, periods: 3, byoyomi: 30 });
    await game.start({ size: 3, komi: 0, checks: [{ name: 'opponent', value: 'person' }, agreed] });
    await game.began(3);
    await game.play(9, 0);
    await page.click('#resign');
    await game.shows('#status', 'White wins: Black resigned');
    await page.click('#share');
    const link = await page.inputValue('#share-text');
    assert.match(link, /end=B\.resigned&clock=600_3x30&left=[\d.]+_[\d.]+$/);
    await page.keyboard.press('Escape');
    const other = new Game(await (await page.context().browser().newContext()).newPage());
    await other.page.goto(link);
    await other.shows('#status', 'White wins: Black resigned');
    await other.shows('#player-B .clock', /^(10:00|9:\d\d)$/);
    assert.ok(await other.page.isDisabled('#resign'));
    await other.sgf(/RE\[W\+R\]TM\[600\]OT\[3x30 byo-yomi\]/);
    await other.page.reload();
    await other.shows('#status', 'White wins: Black resigned');
    for (const nonsense of ['end=X.resigned', 'end=B.toString&clock=&left=', 'clock=x&left=1_2', 'clock=10_0x&left=..', 'clock=60&left=1']) {
      await other.page.goto(link.replace(/end=.*/, nonsense));
      await other.page.waitForFunction((text) => !location.hash.includes(text), nonsense); // it has been read
      await other.shows('#status', 'Black to move');
      await other.turn(2);
    }
    await other.page.context().close();
  },

  // Numbers of turns on the stones, and the board turned by a sixth: names, clicks and arrow keys go with it.
  async 'view'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0, 18);
    const places = () => page.locator('.stones circle').evaluateAll((stones) => stones.map((stone) => [stone.cx.baseVal.value, stone.cy.baseVal.value]));
    const before = await places();
    await page.keyboard.press('v');
    await page.check('#view-numbers');
    await page.click('#view-turn');
    await page.click('#view-dialog button.primary');
    assert.deepEqual(await page.locator('.numbers text').allTextContents(), ['1', '2', '3']);
    assert.equal(await page.locator('.numbers .newest').textContent(), '3');
    const after = await places(), [cos, sin] = [Math.cos(Math.PI / 3), Math.sin(Math.PI / 3)];
    after.forEach(([x, y], i) => {
      assert.ok(Math.hypot(x - (cos * before[i][0] - sin * before[i][1]), y - (sin * before[i][0] + cos * before[i][1])) < 1e-3);
    });
    await page.reload();
    await page.waitForFunction(() => document.querySelectorAll('.numbers text').length === 3);
    assert.deepEqual(await places(), after);
    await game.cell(18).hover();
    await game.shows('#cell-text', 'a3: black stone');
    await page.mouse.move(0, 0);
    await page.keyboard.press('c');
    await page.keyboard.press('ArrowRight'); // to the centre
    await page.keyboard.press('ArrowRight');
    const [x, y] = await page.locator('.cell.pointed .ground').evaluate((cell) => [cell.getBBox().x + cell.getBBox().width / 2, cell.getBBox().y + cell.getBBox().height / 2]);
    assert.ok(x > 1.7 && Math.abs(y) < 0.1);
    if (pictures) await page.screenshot({ path: `${pictures}/view.png` });
  },

  // A turn makes a sound, a flip and the end make two, unless sounds are off.
  async 'sounds'(game) {
    const { page } = game;
    await page.evaluate(() => {
      window.tones = 0;
      const start = OscillatorNode.prototype.start;
      OscillatorNode.prototype.start = function (...when) { window.tones++; return start.apply(this, when); };
    });
    await game.startForTwo(3, 0);
    await game.play(9);
    await page.waitForFunction(() => window.tones === 1);
    await page.click('#resign');
    await page.waitForFunction(() => window.tones === 3);
    await page.evaluate(() => { location.hash = '#game=stigmergy&size=3&komi=0&black=c1.c5.a1.e3&white=c3'; });
    await page.waitForSelector('#cell-9.control-B');
    await game.play(9);
    await page.waitForFunction(() => window.tones === 5);
    await page.click('#view');
    await page.uncheck('#view-sounds');
    await page.click('#view-dialog button.primary');
    await page.click('#undo');
    await game.turn(0);
    await game.play(9);
    assert.equal(await page.evaluate(() => new Promise((resolve) => { setTimeout(() => resolve(window.tones)); })), 5); // the page plays them from a timer, too
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    assert.equal(await page.isChecked('#view-sounds'), false);
  },

  // A link holds the whole position, for another browser.
  async 'link'(game) {
    const { page } = game;
    await game.startForTwo(4, -1);
    await game.play(18, 0, 36);
    await page.click('#share');
    assert.equal(await game.text('#share-note'), hasServer ? 'It opens on this computer, while the program runs. For others, save the game.' : '');
    const link = await page.inputValue('#share-text');
    const other = new Game(await (await page.context().browser().newContext()).newPage());
    await other.page.goto(link);
    await other.turn(3);
    assert.equal(await other.page.locator('.stone').count(), 3);
    assert.match(await other.text('#player-W .points'), /− 1/);
    await page.click('#share-dialog [data-close]');
    await game.startForTwo(3, 0);
    await game.openText(` ${link}\n`); // or pasted as a text
    await game.turn(3);
    await game.hasBoard(4);
    await other.page.context().close();
  },

  // Copying says what came of it, also where there is no clipboard: a page from another machine.
  async copy(game) {
    const { page } = game;
    await page.addInitScript(() => { Object.defineProperty(navigator, 'clipboard', { value: undefined }); });
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await game.startForTwo(3, 0);
    await page.click('#save');
    await page.waitForFunction(() => document.querySelector('#save-text').value.includes('SZ[3]'));
    await page.click('#save-copy');
    await game.shows('#save-copy', 'Copied');
    await page.check('#save-dialog [value=record]');
    await page.locator('#save-dialog .error:not(:empty)').waitFor(); // the game goes on
    assert.deepEqual([await page.isDisabled('#save-copy'), await page.getAttribute('#save-text', 'placeholder')], [true, '']);
    await page.click('#save-dialog [data-close]');
    await page.click('#share');
    await page.click('#share-dialog button.primary');
    await game.shows('#message', 'The link is copied.');
    await page.evaluate(() => { document.execCommand = () => false; });
    await page.click('#share');
    await page.click('#share-dialog button.primary');
    await game.shows('#share-dialog .error', 'The text is selected');
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
    await page.click('#players'); // the clock stays: it begins anew
    await game.setClock('#players-dialog', 'byoyomi', { minutes: 5 });
    await page.click('#players-dialog button.primary');
    await game.shows('#player-B .clock', /^[45]:\d\d$/);
    await page.click('#set-up');
    await page.click('#set-up-done');
    await game.turn(0);
    await game.shows('#player-B .clock', /^[45]:\d\d$/);
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
    await page.fill('#set-up-komi', '98');
    await page.locator('#set-up-button').waitFor({ state: 'hidden' });
    await page.fill('#set-up-komi', '99');
    await page.locator('#set-up-button').waitFor();
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
    await phone.turn(0);
    assert.ok(await phone.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
    await phone.cell(84).tap();
    await phone.shows('#cell-text', 'Tap again to play');
    assert.equal(await phone.played, 0);
    assert.ok(await phone.page.locator('.plate').count());
    await phone.cell(84).tap();
    await phone.turn(1);
    await phone.shows('#cell-text', 'Tap a cell');
    assert.equal(await phone.page.locator('.plate').count(), 0); // what was looked at has been played
    await phone.page.click('#analyse');
    const row = phone.page.locator('#candidates tr').first();
    await row.tap(); // the first tap shows the variation
    await phone.shows('#message', /^How \w+ goes on/);
    assert.ok(await phone.page.locator('.variation .ghost').count());
    assert.equal(await phone.played, 1);
    await phone.page.click('#message button');
    await phone.turn(2);
    if (pictures) await phone.page.screenshot({ path: `${pictures}/phone.png` });
    await context.close();
  },

  // A phone held sideways: all of the board is in sight, beside it what belongs to it, and the board stays there.
  async 'sideways'(game) {
    const context = await game.browser.newContext({ viewport: { width: 667, height: 375 }, hasTouch: true, isMobile: true }), page = await context.newPage();
    await page.goto(`${game.page.url().split('#')[0]}#game=stigmergy&size=8&komi=3&moves=h8`);
    await page.waitForSelector('body[data-turn="1"]');
    const isWhole = () => page.evaluate(() => {
      const cells = [...document.querySelectorAll('#board .cell')].map((cell) => cell.getBoundingClientRect());
      return cells.every(({ top, bottom, left, right }) => top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth) && document.documentElement.scrollWidth <= innerWidth;
    });
    assert.ok(await isWhole());
    const [board, undo, header] = await Promise.all(['#board', '#undo', 'header'].map((part) => page.locator(part).boundingBox()));
    assert.ok(undo.x >= board.x + board.width && undo.y + undo.height <= 375 && header.height < 45, JSON.stringify({ board, undo, header }));
    if (pictures) await page.screenshot({ path: `${pictures}/sideways.png` });
    await page.locator('#comment').scrollIntoViewIfNeeded();
    assert.ok(await isWhole());
    await context.close();
  },

  // Nothing sticks out of a dialog on a phone, whatever is chosen in it.
  async 'dialogs on a phone'(game) {
    const context = await game.browser.newContext({ viewport: { width: 375, height: 667 }, hasTouch: true, isMobile: true });
    const { page } = Object.assign(new Game(await context.newPage()), { browser: game.browser });
    await page.goto(`${game.page.url().split('#')[0]}#game=stigmergy&size=3&moves=c3&clock=600_3x30&left=5.0x3_7.0x2`);
    await page.waitForSelector('body[data-turn="1"]');
    assert.match(await page.innerText('#cell-text'), /^Tap a cell/);
    const inside = async (what) => {
      const out = await page.evaluate(() => {
        const frame = document.querySelector('dialog[open]') ?? document.body, right = frame.getBoundingClientRect().right - parseFloat(getComputedStyle(frame).paddingRight);
        return [...frame.querySelectorAll('*')].filter((part) => part.checkVisibility() && !part.closest('svg, .spoken, h1') && !part.matches('.end') && part.getBoundingClientRect().right > right + 0.5).map((part) => part.outerHTML.slice(0, 80));
      });
      assert.deepEqual(out, [], what);
    };
    await inside('page');
    for (const name of ['new', 'games', 'open', 'save', 'share', 'help', 'players', 'view']) {
      await page.tap(`#${name}`);
      await page.locator(`#${name}-dialog`).waitFor();
      await inside(name);
      assert.ok(await page.locator(`#${name}-dialog .end button >> nth=-1`).evaluate((button) => button.getBoundingClientRect().bottom <= innerHeight), name); // without scrolling
      for (const kind of await page.locator(`#${name}-dialog [name=clock] option`).evaluateAll((options) => options.map(({ value }) => value))) {
        await page.selectOption(`#${name}-dialog [name=clock]`, kind);
        await inside(`${name}, clock ${kind}`);
      }
      if (pictures) await page.screenshot({ path: `${pictures}/phone-${name}.png` });
      await page.keyboard.press('Escape');
    }
    for (const width of [360, 320]) {
      await page.setViewportSize({ width, height: 640 });
      await page.tap('#new');
      await inside(`new, ${width} wide`);
      await page.keyboard.press('Escape');
    }
    await context.close();
  },

  // A link that is followed while a dialog is open closes it: it was about what was there before. Games without points
  // have no columns for them.
  async 'link over a dialog'(game) {
    const { page } = game;
    await page.locator('#new-dialog').waitFor();
    await page.evaluate(() => { location.hash = '#game=bug&size=3&moves=c3.a1'; });
    await game.turn(2);
    await page.locator('#new-dialog').waitFor({ state: 'hidden' });
    await page.click('#analyse');
    await page.locator('#candidates tr').first().waitFor();
    await page.locator('#graph-legend').waitFor();
    assert.doesNotMatch(await game.text('#graph-text'), / ,|lead/);
    assert.doesNotMatch(await game.text('#graph-legend'), /lead/);
    assert.equal(await page.locator('#candidate-table th:visible').count(), 4);
    await page.evaluate(() => { location.hash = '#game=stigmergy&size=3&moves=c3.a1'; });
    await page.locator('#candidate-table th').nth(2).waitFor();
    await game.shows('#graph-legend', "Dashed: Black's lead, ±");
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
    await page.emulateMedia({ colorScheme: 'light' });
    for (const [look, state] of [[dark, 'dark'], [light, 'light'], [light, 'as the system']]) {
      await page.click('#look');
      assert.equal(await paper(), look);
      assert.equal(await page.getAttribute('#look', 'aria-label'), `Light or dark: ${state}`);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.click('#look');
    assert.equal(await paper(), light);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    assert.equal(await paper(), light);
  },

  // The introduction to each game: a wrong answer is explained, a right one leads on, and after the last one a game of
  // that kind is offered. The first lesson by the keyboard, one on a phone.
  async introduction(game) {
    const { page } = game;
    // Gives an answer, of several clicks, and returns what the page says. There are many: so within the page.
    const give = (clicks) => page.evaluate(async (names) => {
      const board = document.querySelector('#intro-board');
      for (const name of names) {
        const answered = new Promise((resolve) => { new MutationObserver(resolve).observe(board, { attributeFilter: ['data-answers'] }); });
        if (name.startsWith('=')) [...document.querySelectorAll('#intro-choices button')].find((button) => button.textContent === name.slice(1)).click();
        else {
          const { x, y, width, height } = board.querySelector(`.cell[aria-label^="${name}:"]`).getBoundingClientRect();
          board.dispatchEvent(new PointerEvent('pointerup', { pointerType: 'mouse', clientX: x + width / 2, clientY: y + height / 2 }));
        }
        await answered;
      }
      return document.querySelector('#intro-answer').textContent;
    }, clicks.split(' '));
    // Of each lesson: a wrong answer, what is said about it, and the right one (of several clicks).
    const lessons = {
      stigmergy: [['d5', 'd5 is the first stone on its line', 'd7'], ['e3', 'e3 sees 2 black and 1 white', 'd4'],
        ['e3', 'Black may place there', 'g4'], ['e2', 'd4 sees 3 black', 'c3'], ['d5', 'That places a stone', 'd4'], ['=Black', 'White 3 and komi 2', '=White']],
      bug: [['d3', 'touches a black stone', 'a1'], ['a1', 'Black may place a stone on a1', 'e3'], ['a1', 'Black may place', 'd4'],
        ['a1', 'touches no white bug of its own shape', 'd3 d2'], ['d4', 'no black bug touches', 'c4 f3'], ['=Black', 'White has no place', '=White']],
      sgolte: [['e3', 'joins two black groups', 'a1'], ['a3', 'Black may place', 'e3'], ['b2', 'stays in one piece', 'b3'],
        ['a1', 'joins nothing', 'e3 b3 a1'], ['f3 c3 a1', 'has split the group', 'f3 c1 c3 a1 a3'], ['=Black', 'Black has no place', '=White']],
    };
    await page.click('#new-intro');
    for (const [name, list] of Object.entries(lessons)) {
      const button = page.locator('#intro-games button', { hasText: new RegExp(name, 'i') });
      if (await button.getAttribute('aria-pressed') === 'false') await button.click(); // else a lesson would begin twice
      await page.waitForSelector(`#intro-board[data-lesson="${name} 1"]`);
      assert.equal(await page.locator('#intro-steps button').count(), list.length);
      for (const [number, [wrong, explained, right]] of list.entries()) {
        await page.waitForSelector(`#intro-board[data-lesson="${name} ${number + 1}"]`);
        assert.ok((await give(wrong)).includes(explained), `${name} ${number + 1}: ${wrong}`);
        assert.match(await give(right), /^Right\. /, `${name} ${number + 1}: ${right}`);
        if (pictures) await page.screenshot({ path: `${pictures}/intro-${name}-${number + 1}.png` });
        await page.click('#intro-next');
      }
      await page.locator('#new-dialog').waitFor();
      assert.equal(await page.inputValue('#new-game'), name);
      await page.keyboard.press('Escape');
      await page.click('#help');
      await page.click('#help-intro');
    }
    await page.waitForSelector('#intro-board[data-lesson="stigmergy 1"]');
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Enter']) await page.keyboard.press(key); // the cursor begins in the middle
    await game.shows('#intro-answer', 'Right. d7');
    const context = await game.browser.newContext({ viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    const { page: phone } = new Game(await context.newPage());
    await phone.goto(page.url().split('#')[0]);
    await phone.tap('#new-intro');
    await phone.locator('#intro-board .cell[aria-label^="d7:"] .ground').tap();
    await phone.locator('#intro-cell', { hasText: 'Tap again' }).waitFor();
    assert.ok(await phone.evaluate(() => document.querySelector('#intro-dialog').scrollWidth <= innerWidth));
    if (pictures) await phone.screenshot({ path: `${pictures}/intro-phone.png` });
    await phone.locator('#intro-board .cell[aria-label^="d7:"] .ground').tap();
    await phone.locator('#intro-answer', { hasText: 'Right.' }).waitFor();
    await context.close();
  },

  // In a lesson the board, what is said about it and the answers are in sight together, also on a small phone, held
  // sideways, and in a window that shows everything twice as large.
  async 'lessons in sight'(game) {
    const url = game.page.url().split('#')[0];
    for (const [width, height] of [[360, 640], [390, 664], [740, 340], [640, 400]]) {
      const context = await game.browser.newContext({ viewport: { width, height }, hasTouch: true, isMobile: true }), page = await context.newPage();
      const inSight = async (what) => assert.deepEqual(await page.evaluate(() => {
        const { top, left } = document.querySelector('#intro-dialog .end').getBoundingClientRect(), beside = innerWidth > innerHeight;
        const cells = [...document.querySelectorAll('#intro-board .cell')].filter((cell) => cell.getBoundingClientRect().bottom > (beside ? innerHeight : top) || cell.getBoundingClientRect().left < left);
        const parts = [...document.querySelectorAll('#intro-cell, #intro-choices button, #intro-answer, #intro-next')].filter((part) => part.checkVisibility() && part.getBoundingClientRect().bottom > innerHeight);
        return [...cells, ...parts].map((part) => part.id);
      }), [], `${what} at ${width} by ${height}`);
      await page.goto(url);
      await page.waitForSelector('body[data-ready]');
      await page.tap('#new-intro');
      for (const [name, number, cell] of [['stigmergy', 3, 'e3'], ['stigmergy', 6], ['bug', 2, 'a1'], ['sgolte', 3, 'b2'], ['sgolte', 6]]) {
        await page.locator('#intro-games button', { hasText: new RegExp(name, 'i') }).tap();
        await page.waitForSelector(`#intro-board[data-lesson="${name} 1"]`);
        await page.locator('#intro-steps button').nth(number - 1).tap();
        await page.waitForSelector(`#intro-board[data-lesson="${name} ${number}"]`);
        await inSight(`${name} ${number}`);
        if (cell) {
          const ground = page.locator(`#intro-board .cell[aria-label^="${cell}:"] .ground`);
          await ground.tap();
          await page.locator('#intro-cell', { hasText: 'Tap again' }).waitFor();
          await inSight(`${name} ${number}, a tap`);
          await ground.tap();
          await page.locator('#intro-answer', { hasText: 'Not quite.' }).waitFor();
        } else {
          await page.locator('#intro-choices button', { hasText: 'Black' }).tap();
          await page.locator('#intro-answer', { hasText: 'Not quite.' }).waitFor();
        }
        await inSight(`${name} ${number}, an answer`);
      }
      await context.close();
    }
  },

  // Every mark is seen, by number (WCAG 2.2, 1.4.11: three to one): patterns on the owners' tints, and stones of both
  // colours on every ground, by their edge or their face; light and dark.
  async contrast(game) {
    const { page } = game;
    await page.goto(`${page.url().split('#')[0]}#game=stigmergy&size=3&komi=0&moves=c3.a1.c4.a2.d3`);
    await page.waitForSelector('body[data-turn="5"]');
    await page.keyboard.press('Escape');
    await page.click('#analyse');
    await page.click('#heat');
    await page.waitForFunction(() => document.querySelectorAll('.owner').length === 19);
    for (const colorScheme of ['light', 'dark']) {
      await page.emulateMedia({ colorScheme });
      const found = await page.evaluate(() => {
        const numbers = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
        const computed = (selector, property) => numbers(getComputedStyle(document.querySelector(selector))[property]);
        const variable = (name) => { document.body.style.outlineColor = `var(${name})`; return numbers(getComputedStyle(document.body).outlineColor); };
        const over = (top, ground, opacity) => top.map((value, i) => opacity * value + (1 - opacity) * ground[i]);
        const light = (colour) => colour.map((value) => value / 255).map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
          .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
        const contrast = (a, b) => { const [dark, bright] = [light(a), light(b)].sort((x, y) => x - y); return (bright + 0.05) / (dark + 0.05); };
        const out = {};
        const compare = (what, a, b) => { out[what] = contrast(a, b); };
        const [blackGround, whiteGround, panel, ink] = ['--black-ground', '--white-ground', '--panel', '--ink'].map(variable);
        compare('stripes', computed('.stripe', 'fill'), blackGround);
        compare('dots', computed('.dot:is(circle)', 'fill'), whiteGround);
        compare("Black's threat", variable('--black-threat'), blackGround);
        compare("White's threat", variable('--white-threat'), whiteGround);
        compare('areas of the graph', variable('--graph'), variable('--graph-black'));
        for (const area of ['--graph', '--graph-black'])
          for (const line of ['--now', '--lead']) compare(`${line} on ${area}`, variable(line), variable(area));
        for (const [name, ground] of Object.entries({ cell: variable('--cell'), blackGround, whiteGround })) {
          compare(`edge of a candidate on ${name}`, ink, ground);
          compare(`chosen on ${name}`, variable('--accent'), ground);
          compare(`left out on ${name}`, variable('--warn'), ground);
        }
        for (let rank = 0; rank < 4; rank++) {
          compare(`figure of rank ${rank}`, rank === 1 || rank === 2 ? [24, 25, 28] : [255, 255, 255], variable(`--rank-${rank}`));
        }
        compare('edge of a chip', variable('--quiet'), panel);
        compare('button', variable('--dot'), panel);
        const cell = variable('--cell'), CERTAIN = 0.85; // opacity of an owner who is certain
        const grounds = { cell, black: variable('--black-ground'), white: variable('--white-ground') };
        for (const [colour, pattern] of [['B', '.owner-stripe'], ['W', '.owner-dot']]) {
          const tint = variable(colour === 'B' ? '--owner-black' : '--owner-white'), ground = over(tint, cell, CERTAIN);
          grounds[`owner-${colour}`] = ground;
          out[`pattern of ${colour}`] = contrast(over(computed(pattern, 'fill'), cell, CERTAIN), ground);
        }
        for (const [name, ground] of Object.entries(grounds)) {
          for (const [colour, face] of [['B', '#black-stone .black-dark'], ['W', '#white-stone .white-dark']])
            out[`stone ${colour} on ${name}`] = Math.max(contrast(computed(`.stone-${colour}`, 'stroke'), ground), contrast(computed(face, 'stopColor'), ground));
        }
        return out;
      });
      assert.equal(Object.keys(found).length, 12 + 9 + 9 + 4 + 2);
      for (const [what, number] of Object.entries(found)) assert.ok(number >= (what.startsWith('figure') ? 4.5 : 3), `${colorScheme}: ${what} ${number.toFixed(2)}`);
      if (pictures) await page.screenshot({ path: `${pictures}/owners-${colorScheme}.png` });
    }
  },

  // With the system's colours (high contrast) one still sees what is switched on, whose turn it is, and which dot is Black's.
  async 'forced colours'(game) {
    const { page } = game, look = (selector) => page.locator(selector).first().screenshot({ animations: 'disabled' });
    await page.emulateMedia({ forcedColors: 'active' });
    await game.startForTwo(3, 0);
    await game.play(9);
    const different = async (a, b, what) => assert.ok(!(await a).equals(await b), what);
    await different(look('#player-B .dot'), look('#player-W .dot'), 'dots');
    const outlines = await page.evaluate(() => ['B', 'W'].map((colour) => getComputedStyle(document.querySelector(`#player-${colour}`)).outlineStyle));
    assert.deepEqual(outlines, ['none', 'solid']);
    const before = await look('#losses');
    await page.click('#losses');
    await page.mouse.move(2, 2);
    await page.evaluate(() => document.activeElement.blur());
    await different(look('#losses'), before, 'switch');
    await page.evaluate(() => document.querySelector('#patterns').click()); // it is not to be seen, but was used before
    const patternOf = (colour) => page.evaluate((name) => {
      document.querySelector('#cell-0').setAttribute('class', `cell ${name}`);
      return getComputedStyle(document.querySelector('#cell-0 .pattern')).fill;
    }, `control-${colour}`);
    for (const [colour, fill] of [['B', /stripes/], ['W', /dots/]]) assert.match(await patternOf(colour), fill);
    assert.ok(!await page.locator('#patterns').isVisible());
    await page.click('#analyse');
    await page.locator('.candidate').first().waitFor();
    for (const part of ['.chip', '#chance-black', '#chance-bar'])
      assert.equal(await page.evaluate((selector) => getComputedStyle(document.querySelector(selector)).forcedColorAdjust, part), 'none', part);
    if (pictures) await page.screenshot({ path: `${pictures}/forced-colours.png` });
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

  // A browser opens at most six connections to a server, and a server allows a visitor so many searches: six tabs analyse
  // games of ten turns, and a seventh plays one and analyses another.
  async 'seven tabs'(game) {
    const { page } = game;
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
  },

  // The server has an opening book of hexhex-3: a panel lists its moves in the position on the board, also in one that
  // is rotated, and a click plays one. Other boards have no panel, and neither has a server without a book.
  async book(game) {
    const { page } = game, folder = mkdtempSync(`${tmpdir()}/board-`), file = `${folder}/book.json`;
    const told = (turn) => page.locator(`#book-panel[data-turn="${turn}"]`).waitFor();
    await game.startForTwo(3, 4);
    assert.ok(await page.locator('#book-panel').isHidden());
    execFileSync(binary, ['book', '--size', '3', '--sims', '5', '--games', '200', '--leaf-games', '4', '--solver-nodes', '0', '--parity', 'even',
      '--player', '{"network": "none"}', '--out', file], { stdio: 'ignore' });
    const [start] = JSON.parse(readFileSync(file)).books[0].nodes, first = start.children[0].move;
    const { server, address } = await serve('--book', file);
    try {
      await page.goto(address);
      await page.waitForSelector('body[data-ready]');
      await game.startForTwo(3, 4);
      await game.shows('#book-value', /^fair komi −?\d/);
      assert.deepEqual(await page.locator('#book-moves td:first-child').allInnerTexts(), start.children.map(({ move }) => move));
      const best = page.locator('#book-moves .best');
      await best.hover();
      assert.equal(await page.locator('.variation .stone-B').count(), 1);
      if (pictures) await page.screenshot({ path: `${pictures}/book.png` });
      await best.click();
      await game.shows('#graph-text', `1. ${first}`);
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
    } finally {
      server.kill();
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

  // The page runs scripts of its own files only, and asks no other host for anything.
  async policy(game) {
    const { page } = game;
    game.expects = /Content Security Policy/;
    assert.deepEqual(await page.evaluate(async () => {
      const script = document.createElement('script');
      script.textContent = 'window.ran = true';
      document.head.append(script);
      const refused = new Promise((done) => document.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (effectiveDirective === 'connect-src') done(true);
      }));
      await fetch('http://host.invalid/').catch(() => {});
      return [window.ran ?? false, await Promise.race([refused, new Promise((done) => setTimeout(done, 1000))])];
    }), [false, true]);
  },

  // After the first visit the page needs no network: it loads, the computer moves, a position is analysed.
  async offline(game) {
    const { page } = game, host = await serveFolder(binary);
    await page.goto(host.address);
    await page.evaluate(() => navigator.serviceWorker.ready);
    assert.equal(host.requests.filter((path) => path === '/main.js').length, 2); // one for the page, and one that is new
    host.close();
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await game.start({ size: 3, level: 3, komi: 4, checks: [agreed, { name: 'side', value: 'W' }] });
    await game.turn(1);
    await page.click('#analyse');
    await page.locator('.candidate').first().waitFor();
    await page.context().setOffline(false);
  },

  // Two copies of the page on one host keep their files apart. What was kept of an older version of a copy goes.
  async 'two copies'(game) {
    const { page } = game, folder = mkdtempSync(join(tmpdir(), 'stigmergy-copies-'));
    symlinkSync(resolve(binary), join(folder, 'first'));
    mkdirSync(join(folder, 'second'));
    for (const name of readdirSync(binary)) if (name !== 'offline.js') symlinkSync(resolve(binary, name), join(folder, 'second', name));
    writeFileSync(join(folder, 'second/offline.js'), // of another version
      readFileSync(join(binary, 'offline.js'), 'utf8').replace('stigmergy-', 'stigmergy-0.'));
    const host = await serveFolder(folder), copies = ['first', 'second'].map((name) => `${host.address}${name}/`);
    try {
      for (const address of copies) {
        await page.goto(address);
        await page.waitForSelector('body[data-ready]');
        await page.evaluate(() => navigator.serviceWorker.ready.then(({ active }) => active.state === 'activated' ||
          new Promise((done) => active.addEventListener('statechange', done))));
        await page.evaluate(async (other) => (await caches.keys()).length === 1 && (await caches.open('stigmergy-0.1')).add(other), copies[1]);
      }
      assert.deepEqual((await page.evaluate(() => caches.keys())).map((name) => name.split(' ')[1]), copies);
      host.close();
      await page.context().setOffline(true);
      for (const address of copies) {
        await page.goto(address);
        await page.waitForSelector('body[data-ready]');
      }
      await page.context().setOffline(false);
    } finally {
      host.close();
      rmSync(folder, { recursive: true });
    }
  },

  // The page without a server comes with the published results; New game links to them.
  async results(game) {
    const { page } = game;
    const [atlas] = await Promise.all([page.context().waitForEvent('page'), page.click('#komi-source a')]);
    await atlas.locator('#atlas tr.chosen', { hasText: 'hexhex-8' }).waitFor();
    await atlas.locator('.origin a[download]').nth(7).waitFor(); // the page is large, its end comes late
    await atlas.close();
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
  delete tests['two copies'];
  delete tests.results;
} else {
  delete tests['behind a token'];
  delete tests['stone at once']; // these look at requests
  delete tests['late text'];
  delete tests['running through positions'];
  delete tests['lost answers'];
  delete tests['refused search'];
  delete tests['analysis goes on'];
  delete tests.book;
  delete tests['server gone'];
  delete tests['server with another address'];
  delete tests['seven tabs'];
}

// ---- Running them ----

async function serve(...options) {
  if (!hasServer) {
    const host = await serveFolder(binary);
    return { server: { kill: host.close }, address: host.address };
  }
  const server = spawn(binary, ['serve', ...(options.includes('--port') ? [] : ['--port', '0']), '--threads', '2', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  return { server, address: String(line).trim() };
}

async function run(name, test, browser, address) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 820 } }), page = await context.newPage();
  const problems = [];
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

const only = process.env.ONLY ?? '', chosen = Object.entries(tests).filter(([name]) => name.includes(only));
assert.ok(chosen.length, `no test is named '${only}'`);
const { server, address } = await serve();
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
let failures = 0;
for (const [name, test] of chosen) failures += await run(name, test, browser, address) ? 0 : 1;
await browser.close();
server.kill();
console.log(failures ? `${failures} failed` : 'all passed');
process.exit(failures ? 1 : 0);
