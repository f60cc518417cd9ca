// Games against the computer and between people: komi, sides, levels, variants, how a game ends.

import assert from 'node:assert/strict';
import { PATIENCE, agreed } from '../board_game.mjs';

export const tests = {
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
    await page.click('#games'); // the game that is on the board was chosen: it is no other one
    assert.equal(await page.locator('#games-list .game-of').count(), 1);
  },

  // Undo between two computers takes one turn back, whatever their levels are.
  async 'undo between two computers'(game) {
    const { page } = game;
    for (const seats of [{ B: 1, W: 1 }, { B: 1, W: 2 }]) {
      await page.addInitScript((text) => sessionStorage.setItem('stigmergy-game', text), JSON.stringify({
        settings: { game: 'stigmergy', size: 3, komi: 0 }, seats, names: { B: '', W: '' }, current: 2, // not at the end: they do not play
        nodes: ['c3', 'a1', 'c4'].map((turn, parent) => ({ parent, turn })),
      }));
      await page.goto(page.url().split('#')[0]);
      await game.turn(2);
      await page.click('#undo');
      await game.turn(1);
    }
  },

  // A person's Undo takes no turn of the computer's alone back, and nobody plays in its name where the game goes on; it
  // can always be stopped.
  async "the computer's turn"(game) {
    const { page } = game, sides = [agreed, { name: 'side', value: 'W' }];
    await game.start({ size: 3, level: 1, komi: 0, checks: sides });
    await game.turn(1);
    assert.equal(await page.isDisabled('#undo'), true);
    await page.keyboard.press('u');
    await page.locator('.cell.open .ground').first().click();
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
    await game.openText('1. c4 swap\n2. a1'); // a list names no variant: it is that of the game on the board
    await page.waitForFunction(() => document.querySelectorAll('.turn').length === 4);
    await game.shows('#game-name', 'Bug with the pie rule · size 3');
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
    await game.shows('#games-list', 'Sgolte 3, captures in a line · Stigmergy (strongest) – You · 4 turns');
    await page.click('#games-dialog [data-close]');
    await page.click('#resign');
    await page.click('#games'); // who has lost is named second
    await game.shows('#games-list', 'Stigmergy (strongest) – You · 4 turns · White resigned');
    await page.click('#games-dialog [data-close]');
    await page.click('#undo');
    await game.shows('#status', 'Your turn');
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

  // Who looks at an earlier turn resigns where the game has come to. In a game that is over nobody resigns at its earlier turns.
  async 'resign while looking'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0, 18);
    await page.keyboard.press('Home');
    await game.turn(0);
    await page.click('#resign');
    await game.shows('#status', 'Black wins: White resigned');
    await game.turn(3);
    await game.sgf(/RE\[B\+R\]\s*;B\[c3\];W\[e1\];B\[a3\]\)/);
    await page.keyboard.press('ArrowLeft');
    await game.turn(2);
    assert.ok(await page.isDisabled('#resign'));
    await page.keyboard.press('End');
    await game.turn(3);
    await page.click('#undo');
    await game.shows('#status', 'White to move');
    await page.keyboard.press('ArrowLeft');
    await game.turn(2);
    await game.play(1); // another turn: it is the game
    await page.click('#resign');
    await game.shows('#status', 'Black wins: White resigned');
    assert.equal(await game.played, 3);
  },

  // A saved game against the computer goes on where it is opened: not by itself, but when somebody plays or asks for it.
  async 'saved game against the computer'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.openText('(;GM[stigmergy]SZ[3]KM[0]PB[You]PW[Stigmergy (beginner)];B[c3];W[a1];B[b1])');
    await page.keyboard.press('End');
    await game.turn(3);
    await game.shows('#status', "The computer's turn");
    assert.equal(await game.played, 3);
    await page.click('#resume');
    await game.turn(4);
    await page.locator('.cell.open .ground').first().click();
    await game.turn(6);
    await game.openText('(;GM[stigmergy]SZ[3]KM[0]PB[Stigmergy (casual)]PW[Stigmergy (beginner)];B[c3])');
    await game.turn(0);
    assert.ok(await page.isHidden('#resume'));
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
};
