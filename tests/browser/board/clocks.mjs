// Clocks: sudden death, periods, those of files and links.

import assert from 'node:assert/strict';
import { Game, agreed, hasServer } from '../board_game.mjs';

export const tests = {
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
    const held = (event) => page.evaluate((name) => dispatchEvent(new PageTransitionEvent(name, { persisted: true })), event);
    await held('pagehide'); // the browser holds the page, and shows it again
    await page.clock.runFor(5000);
    await held('pageshow');
    await page.clock.runFor(100);
    await game.shows('#player-W .clock', /^13\.9$/);
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
    if (hasServer) assert.deepEqual((await asked).postDataJSON().clock, { timeLeft: 0.6, spent: 0, movesLeft: 0, increment: 0, periodTime: 0.5, periodMoves: 1 });
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

  // The clock of a game that is over does not run in its variations, nor any while one learns or sets up a position.
  async 'clock that stands still'(game) {
    const { page } = game, left = (colour) => game.text(`#player-${colour} .clock`).then(Number);
    await page.locator('#new-dialog').waitFor();
    await game.stopTime();
    await game.setClock('#new-dialog', 'byoyomi', { minutes: 0, periods: 1, byoyomi: 15 });
    await game.start({ size: 3, komi: 0, checks: [{ name: 'opponent', value: 'person' }, agreed] });
    await game.began(3);
    await game.play(9);
    await page.clock.runFor(1000);
    await game.shows('#player-W .clock', /^14\.0$/);
    await page.click('#set-up');
    await game.cell(0).click();
    await page.waitForSelector('#cell-0[aria-label*="black stone"]');
    await page.clock.runFor(16000);
    assert.deepEqual([await page.isVisible('#set-up-panel'), await page.locator('.stone').count(), await left('W')], [true, 2, 14]);
    await page.click('#set-up-cancel');
    await page.locator('#set-up-panel').waitFor({ state: 'hidden' });
    await page.clock.runFor(1000);
    await game.shows('#player-W .clock', /^13\.0$/);
    await game.play(0, 3);
    await page.click('#resign');
    await game.shows('#status', 'Black wins: White resigned');
    await page.keyboard.press('ArrowLeft');
    await game.turn(2);
    await game.play(12);
    await page.clock.runFor(20000);
    assert.deepEqual([await game.text('#status'), await left('W')], ['White to move', 15]);
    await page.keyboard.press('ArrowLeft');
    await game.turn(2);
    await page.locator('#variations button', { hasText: '3. ' }).first().click();
    await game.shows('#status', 'Black wins: White resigned');
    await page.click('#undo'); // the game goes on, and the clock with it
    await game.shows('#status', 'White to move');
    await page.clock.runFor(20000);
    await game.shows('#status', 'Black wins: White ran out of time');
  },

  // Who learns from a mistake of a game that is under way is not stopped by the clock.
  async 'clock while one learns'(game) {
    const { page } = game, turns = ['c3', 'a1', 'c4', 'a2'], found = { winrate: 0.5, scoreLead: 0, sims: 1, proven: false, moves: [] };
    await game.stopTime();
    await page.addInitScript((kept) => sessionStorage.setItem('stigmergy-game', kept), JSON.stringify({
      settings: { game: 'stigmergy', size: 3, komi: 4 }, names: { B: '', W: '' }, current: 4, reviewed: 4, clock: { main: 0, byoyomi: 10, periods: 1, increment: 0 },
      nodes: turns.map((turn, i) => ({ parent: i, turn })), found: [null, ...turns].map((_, i) => ({ ...found, currentPlayer: i % 2 ? 'W' : 'B' })),
      checked: [null, null, null, { chance: 0.3, points: 3, better: 'd3', reached: 0.9, reply: ['d3'] }],
    }));
    await page.goto(page.url().split('#')[0]);
    await game.turn(4);
    await page.click('#learn');
    await game.turn(2);
    await page.locator('.cell[aria-label^="d3:"] .ground').click();
    await game.shows('#learn-text', 'Right: d3');
    await page.clock.runFor(11000);
    assert.equal(await game.text('#status'), 'White to move');
    await page.click('#learn-end');
    await page.clock.runFor(11000);
    await game.shows('#status', 'Black wins: White ran out of time');
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
    for (const [i, much] of ['clock=99999999999_5', 'clock=60_1001x5', 'clock=60&left=99999999_1'].entries()) { // no game has it: it can be saved
      await other.page.goto(`${link.split('#')[0]}#game=stigmergy&size=3&komi=${2 * i + 2}&moves=c3&${much}`);
      await other.sgf(new RegExp(`KM\\[${2 * i + 2}\\][^]*;B`));
    }
    await other.page.context().close();
  },
};
