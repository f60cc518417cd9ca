// How the page looks and sounds: small screens, colours, contrast, dialogs, lessons.

import assert from 'node:assert/strict';
import { Game, pictures } from '../board_game.mjs';

export const tests = {
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
    const context = await game.browser.newContext({ viewport: { width: 667, height: 375 }, hasTouch: true, isMobile: true }), { page } = new Game(await context.newPage());
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

  // The field of a dialog that has the keyboard is not below its buttons.
  async 'fields in sight'(game) {
    const { page } = game;
    await page.keyboard.press('Escape');
    for (const [width, height] of [[1280, 620], [640, 400], [740, 340], [360, 640], [320, 500], [320, 256]]) {
      await page.setViewportSize({ width, height });
      await page.keyboard.press('n');
      await page.check('#new-dialog [name=way][value=fixed]');
      await page.selectOption('#new-dialog [name=clock]', 'byoyomi');
      await page.focus('#new-game');
      for (let fields = 1; !await page.evaluate(() => document.activeElement.closest('.end')); fields++) {
        const hidden = await page.evaluate(() => {
          const field = document.activeElement, { left, top, width: w, height: h } = field.getBoundingClientRect();
          const isSeen = (y) => field.contains(document.elementFromPoint(left + w / 2, y));
          return [top + 3, top + h / 2, top + h - 3].every(isSeen) ? '' : field.name;
        });
        assert.equal(hidden, '', `${width} x ${height}`);
        assert.ok(fields < 30);
        await page.keyboard.press('Tab');
      }
      await page.keyboard.press('Escape');
    }
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
    const long = 'a_player_whose_name_is_one_word_and_wider_than_the_screen_of_a_phone'; // in the list of games, and in an error
    await page.evaluate((text) => { document.querySelector('#message').textContent = text; }, long);
    await inside('a long message');
    await page.tap('#open');
    await page.fill('#open-text', `(;SZ[3]B[${long}])`);
    await page.tap('#open-dialog button.primary');
    await page.waitForFunction(() => document.querySelector('#open-dialog .error').textContent);
    await inside('a long error');
    await page.keyboard.press('Escape');
    await Object.assign(new Game(page), { browser: game.browser }).openText(`(;SZ[3]PB[${long}]PW[b];B[c3])`);
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
      await page.locator('#new-dialog').waitFor();
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
      const context = await game.browser.newContext({ viewport: { width, height }, hasTouch: true, isMobile: true }), { page } = new Game(await context.newPage());
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
      return [window.ran ?? false, await Promise.race([refused, new Promise((done) => setTimeout(done, 20000))])];
    }), [false, true]);
  },
};
