// Playing at the board: moves by mouse, wheel and keys, what the page says of them, turns taken back.

import assert from 'node:assert/strict';

export const tests = {
  // A browser that refuses to change the address for a while: the game goes on, and the address follows.
  async 'address refused'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await page.evaluate(() => {
      const replace = history.replaceState;
      let refused = 0;
      history.replaceState = function (...address) {
        if (++refused === 1) throw new DOMException('too many calls', 'SecurityError');
        if (refused > 2) replace.apply(this, address);
      };
    });
    await game.play(9);
    await page.waitForFunction(() => location.hash.includes('c3'));
  },

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
    const learn = async () => { // until the lesson has begun anew: before that clicks mean nothing
      const before = await page.getAttribute('#intro-board', 'data-answers');
      await page.click('#new-intro');
      await page.waitForFunction((answers) => document.querySelector('#intro-board').getAttribute('data-answers') !== answers, before);
    };
    await game.shows('#new-about', 'Who owns more cells at the end wins.');
    assert.deepEqual([await page.inputValue('#new-size'), await page.inputValue('#new-level'), await first()], ['5', '2', 'Learn the rules']);
    await learn();
    await game.shows('#intro-text', /^Who owns more cells at the end wins\./);
    for (const way of ['button', 'key']) { // back to where one came from
      if (way === 'button') await page.click('#intro-dialog [data-close]');
      else for (let i = 0; i < 2; i++) await page.keyboard.press('Escape'); // out of the board, and of the lessons
      await page.locator('#intro-dialog').waitFor({ state: 'hidden' });
      await page.locator('#new-dialog').waitFor();
      assert.equal(await first(), 'Start');
      await learn();
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
    assert.equal(await page.locator('[aria-live], [role=status], [role=alert]').filter({ hasText: 'Black to move' }).count(), 1); // a screen reader says it once
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

  // A button that goes when it was used leaves the keyboard to the board, or to the button that comes in its place.
  async 'focus after buttons that go'(game) {
    const { page } = game, press = (selector) => page.locator(selector).press('Enter'), isOn = (selector) => page.waitForSelector(`${selector}:focus`);
    await game.startForTwo(3, 0);
    for (const button of ['#set-up-cancel', '#set-up-done']) {
      await press('#set-up');
      await press(button);
      await isOn('#set-up');
    }
    await game.play(9);
    await press('#cut');
    await game.turn(0);
    await press('#take-back');
    await isOn('#board');
    await press('#only');
    await game.cell(0).click();
    await press('#narrow-text button');
    await isOn('#board');
    await press('#only');
    await page.keyboard.press('a');
    await press('#resign');
    await game.shows('#status', 'resigned');
    await page.keyboard.press('Home');
    await game.turn(0);
    await game.play(1);
    await press('#to-game');
    await isOn('#board');
    await press('#players');
    await page.selectOption('#players-B', '1');
    await page.selectOption('#players-W', '1');
    await press('#players-dialog button.primary');
    await page.keyboard.press('Home');
    await game.turn(0);
    await press('#resume');
    await isOn('#board');
  },

  // So it is with dialogs, and in them.
  async 'focus after dialogs'(game) {
    const { page } = game, press = (selector) => page.locator(selector).press('Enter'), isOn = (selector) => page.waitForSelector(`${selector}:focus`);
    await game.startForTwo(3, 0);
    await game.play(9);
    await page.click('#resign');
    await press('#actions button:has-text("New game")');
    await page.check('#new-dialog [name=way][value=other]');
    await press('#new-start');
    await press('#side-back');
    await page.keyboard.press('Escape');
    await isOn('#actions button');
    await page.keyboard.press('Enter');
    await press('#new-intro');
    await page.waitForSelector('#intro-board .cell'); // before it is drawn, Escape leaves the lessons at once
    await page.locator('#intro-board:focus').press('Escape'); // out of the board, then out of the lessons
    await page.keyboard.press('Escape');
    await page.locator('#new-dialog').waitFor();
    await page.keyboard.press('Escape');
    await isOn('#actions button');
    await page.keyboard.press('Enter');
    await press('#new-start');
    await press('#side-black');
    await isOn('#board');
    await press('#games');
    await press('#games-list [aria-label^=Delete]');
    await isOn('#games-list button:has-text("Bring it back")');
    await page.keyboard.press('Enter');
    await isOn('#games-list .game-of');
    await page.keyboard.press('Escape');
    await isOn('#games');
    await game.openText('(;SZ[3];B[a1])(;SZ[3];B[b2])');
    await press('#message button');
    await game.shows('#message', 'It is game 2 of 2 in this file.');
    await isOn('#board');
  },

  // So it is in lists that are made anew: mistakes, also while a review runs, variations, and what one learns with.
  async 'focus stays in lists'(game) {
    const { page } = game;
    const isOn = (name) => page.locator(':focus').filter({ hasText: name }).waitFor();
    await page.keyboard.press('Escape');
    await game.keptReview('e5 d3 f4 c5'.split(' '), [0.1, 0.3, 0, 0.2], [1, 2, 0, 3]);
    await page.locator('#mistakes .link', { hasText: 'd3' }).press('Enter');
    await game.turn(2);
    await isOn('2. d3');
    await page.keyboard.press('r');
    await game.shows('#review', /Stop \([1-9]/);
    await isOn('2. d3');
    await page.keyboard.press('r');
    await page.locator('[aria-label="Retry 2. d3"]').press('Enter');
    await game.turn(1);
    await page.waitForSelector('#board:focus');
    await page.keyboard.press('Home');
    await game.turn(0);
    await page.locator('#variations button').press('Enter');
    await game.turn(1);
    await isOn('2. d3');
    await page.locator('#learn').press('Enter');
    await page.locator('#learn-solution').press('Enter');
    await page.waitForSelector('#learn-next:focus');
    await page.locator('#learn-end').press('Enter');
    await page.waitForSelector('#learn:focus');
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

  // Of a large tree only what is in view is drawn, and what is scrolled to; the current turn comes into view.
  async 'large tree'(game) {
    const { page } = game, dots = page.locator('#tree .turn'), cells = 'a1 a2 a3 a4 a5 a6 a7 a8 b1 b2 b3 b4 b5 b6 b7 b8 b9 c1 c2 c3'.split(' ');
    const others = 'h1 h2 h3 h4 h5 h6 h7 h8 h9 i1 i2 i3 i4 i5 i6'.split(' ');
    const line = cells.reduceRight((below, cell, i) => `(;${'BW'[i % 2]}[${cell}]${below})${others.map((other) => `(;${'BW'[i % 2]}[${other}])`).join('')}`, '');
    await page.keyboard.press('Escape');
    await game.openText(`(;GM[stigmergy]SZ[8]KM[6]${line})`);
    await game.hasBoard(8);
    const isInView = () => page.waitForFunction(() => {
      const [dot, box] = ['#tree .turn.current', '#tree'].map((part) => document.querySelector(part)?.getBoundingClientRect());
      return dot && dot.left >= box.left && dot.right <= box.right && dot.top >= box.top && dot.bottom <= box.bottom;
    });
    assert.ok(await dots.count() < 200); // of 321
    await page.keyboard.press('End');
    await game.turn(20);
    await isInView();
    await page.locator('#tree').evaluate((box) => { box.scrollTo(0, 1e6); });
    await page.locator('#tree [aria-label="1. i6"]').click();
    await game.turn(1);
    await isInView();
    assert.ok(await dots.count() < 200);
    await page.keyboard.press('Home');
    await game.turn(0);
    await isInView();
    await page.locator('#tree [aria-label="2. a2"]').waitFor();
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

  // Where the line that was the game is removed, another one that has ended is the game, before a reload and after it.
  async 'removed game'(game) {
    const { page } = game, told = () => page.evaluate(() => [document.querySelector('#to-game').hidden, document.querySelector('#graph-turns').innerText, document.querySelector('#review').innerText]);
    await game.startForTwo(3, 0);
    for (const cell of [9, 0]) {
      await page.keyboard.press('Home');
      await game.turn(0);
      await game.play(cell);
      await page.click('#resign');
    }
    await page.keyboard.press('Home');
    await game.turn(0);
    await page.locator('#variations button').first().click();
    await game.turn(1);
    const before = await told();
    await page.click('#cut');
    await game.turn(0);
    await game.play(5, 18);
    const cut = await told();
    assert.equal(cut[0], false); // back to the game
    await page.click('#take-back');
    await game.turn(1);
    assert.deepEqual(await told(), before);
    await page.click('#cut');
    await game.turn(0);
    await page.locator('#variations button').last().click();
    await game.turn(1);
    await page.keyboard.press('ArrowRight');
    await game.turn(2);
    assert.deepEqual(await told(), cut);
    await page.reload();
    await game.turn(2);
    assert.deepEqual(await told(), cut);
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

  // A turn that is begun travels in the link and stays over a reload; one that a link calls begun and that is whole is
  // a turn; one that is neither is refused. Screen readers hear of each action.
  async 'begun turns'(game) {
    const { page } = game, start = page.url().split('#')[0];
    const follow = async (fragment) => {
      await page.goto('about:blank'); // so that the page opens anew
      await page.goto(`${start}#${fragment}`);
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
    await follow('game=sgolte&size=3&komi=0&moves=c2.a1.c4.a2.e1.a3');
    await game.cell(9).click();
    await game.shows('#spoken', /^c3\. Black goes on: choose a stone to remove$/);
    await game.cell(17).click();
    await game.shows('#spoken', /^xa2\. Black goes on: place another stone$/);
    await page.keyboard.press('u');
    await game.shows('#spoken', /^c3\. Black goes on/);
    await page.keyboard.press('u');
    await game.shows('#spoken', /^a3\. Black to move$/);
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
};
