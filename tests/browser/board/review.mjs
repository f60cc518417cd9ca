// Review of a game: losses, mistakes to learn from, the graph.

import assert from 'node:assert/strict';
import { Game, pictures } from '../board_game.mjs';

export const tests = {
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

  // Where the check proves that another turn wins, the position before it is proved, and what the turn before lost is known.
  async 'proved turns'({ page }) {
    const found = await page.evaluate(async () => {
      const { Judge } = await import('./judge.js');
      const root = { name: 'root', depth: 0 }, first = { name: 'first', depth: 1, turn: 'best', parent: root };
      const second = { name: 'second', depth: 2, turn: 'bad', parent: first };
      const known = { root: ['B', 0.5], first: ['W', 0.4], second: ['B', 0.9] };
      const search = async (node, turn) => {
        const [currentPlayer, winrate] = turn ? ['B', 0] : known[node.name];
        const moves = [{ move: 'best', winrate, scoreLead: 1, proven: false }];
        return { currentPlayer, winrate, scoreLead: turn ? -5 : 1, proven: Boolean(turn), sims: 100, moves };
      };
      await new Judge({ search }).review([root, first, second], { maxSims: 100 });
      return { root: root.analysis, first: first.analysis, lost: second.checked.chance };
    });
    assert.deepEqual([found.first.winrate, found.first.scoreLead, found.first.proven], [0, -5, true]);
    assert.equal(found.first.moves[0].winrate, 0);
    assert.equal(found.lost, 0.9);
    assert.deepEqual([found.root.winrate, found.root.proven], [0.5, false]);
  },

  // After a swap the black stones are the other player's: a right one costs nothing, and to miss one is a mistake.
  async 'swaps are judged'(game) {
    const { page } = game, lost = await page.evaluate(async () => {
      const { costOf, Judge } = await import('./judge.js');
      const known = { c3: ['W', 0.03, 'swap'], swap: ['W', 0.97, 'a1'], b2: ['B', 0.97, 'a1'] };
      const search = async (node, turn) => {
        const [currentPlayer, winrate, move] = known[turn ?? node.turn] ?? ['B', 0.03, 'c3'];
        const found = { winrate, scoreLead: null, proven: false };
        return { ...found, currentPlayer, sims: 100, moves: [{ ...found, move }] };
      };
      const lossOf = async (answer) => {
        const line = [{ depth: 0, turn: null }];
        for (const turn of ['c3', answer]) line.push({ depth: line.length, turn, parent: line.at(-1) });
        await new Judge({ search }).review(line, { maxSims: 100 });
        return costOf(line[2]);
      };
      return { right: await lossOf('swap'), missed: await lossOf('b2') };
    });
    const { chance, checked, better } = lost.missed;
    assert.deepEqual([lost.right.chance < 1e-9, lost.right.checked], [true, false]);
    assert.deepEqual([chance.toFixed(2), checked, better], ['0.94', true, 'swap']);
    await page.keyboard.press('Escape');
    await game.openText('(;GM[sgolte]SZ[3]SBKV[3];B[c3]SBKV[3];W[swap]SBKV[97];W[a1]SBKV[97])');
    await game.hasBoard(3);
    await page.keyboard.press('End');
    await game.turn(3);
    await page.keyboard.press('ArrowLeft');
    await game.shows('#graph-text', /^2\. swap: Black 97%$/);
    await game.shows('#graph-legend', 'With the swap the players change colours.');
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

  // Turns that came after a review are not reviewed, nor those in the place of others: no verdict, and the next review is as
  // long as the first one.
  async 'review of a game that goes on'(game) {
    const { page } = game, says = async () => [await game.text('#review'), await page.isVisible('#no-mistakes')];
    await game.startForTwo(3, 4);
    await game.play(9);
    await game.review();
    assert.deepEqual(await says(), ['Review deeper', true]);
    await game.play(0);
    assert.deepEqual(await says(), ['Review the game', false]);
    await page.click('#cut');
    await game.turn(1);
    assert.deepEqual(await says(), ['Review deeper', true]);
    await page.click('#cut');
    await game.turn(0);
    await game.play(0, 9);
    assert.deepEqual(await says(), ['Review the game', false]);
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
    await game.hasBoard(3);
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

  // A better turn that captures: its stones are drawn, and crosses on those that it takes. A turn that the engine has not seen
  // to its end is written like others.
  async 'a better turn of Sgolte'(game) {
    const { page } = game;
    await game.keptReview(['c3', 'a1'], [0, 0.5], [null, null], { settings: { game: 'sgolte', size: 3, komi: 0 }, better: 'd3,xc3,xb2,>e1' });
    assert.equal(await page.locator('.better-turn .ghost').count(), 2);
    assert.equal(await page.locator('.better-turn .remove').count(), 2);
    await game.shows('#mistakes .better', 'better d3xc3,b2>e1 …');
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
    await page.keyboard.press('v');
    await page.click('#view-turn');
    await page.click('#view-dialog button.primary');
    await page.locator('.variation .ghost').first().waitFor(); // the board turns with it
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

  // Who removes the turn of a mistake does not learn from it any more; other mistakes stay. What is played then is kept.
  async 'learn and removed turns'(game) {
    const { page } = game, turns = 'c3 a1 c4 a2 d3 a3'.split(' '), points = turns.map(() => 1);
    const settings = { game: 'stigmergy', size: 3, komi: 4 };
    await game.keptReview(turns, [0, 0.3, 0, 0.4, 0, 0], points, { settings, better: 'e1' });
    await page.click('#learn');
    await game.shows('#learn-text', '1 of 2: White played a1 here');
    await page.keyboard.press('End');
    await game.turn(6);
    for (const turn of [5, 4]) {
      await page.keyboard.press('ArrowLeft');
      await game.turn(turn);
    }
    await page.click('#cut');
    await game.turn(3);
    assert.deepEqual([await page.isVisible('#learn-panel'), await page.isVisible('#learn-next')], [true, false]);
    await page.click('#take-back');
    await game.turn(4);
    await page.click('#learn-end');
    await page.click('#learn');
    await game.turn(1);
    await page.evaluate(() => { for (const id of ['cut', 'learn-next']) document.getElementById(id).click(); }); // before an answer comes
    await page.locator('#learn-panel').waitFor({ state: 'hidden' });
    await game.turn(0);
    await page.locator('.cell[aria-label^="e3:"] .ground').click();
    await game.turn(1);
    assert.deepEqual([await page.locator('.turn').count(), await page.locator('.turn.current').count()], [2, 1]);
    await game.sgf(/;B\[e3\]\)/);
  },

  // A bad answer that was a variation before stays one, with the analysis that it has.
  async 'learn with variations'(game) {
    const { page } = game, found = { winrate: 0.5, scoreLead: 0, sims: 1, proven: false, moves: [] };
    await page.addInitScript((kept) => sessionStorage.setItem('stigmergy-game', kept), JSON.stringify({
      settings: { game: 'stigmergy', size: 5, komi: 6 }, names: { B: '', W: '' }, current: 3, reviewed: 3,
      nodes: [{ parent: 0, turn: 'e5' }, { parent: 1, turn: 'a1' }, { parent: 2, turn: 'd4' }, { parent: 1, turn: 'b2' }],
      found: ['B', 'W', 'B', 'W', 'B'].map((currentPlayer, i) => ({ ...found, currentPlayer, ...(i === 4 ? { sims: 5e8, winrate: 0.25 } : {}) })),
      checked: [null, null, { chance: 0.4, points: 1, better: 'c4', reached: 0.99, reply: ['c4'] }],
    }));
    await page.goto(page.url().split('#')[0]);
    await game.turn(3);
    await page.click('#learn');
    await game.turn(1);
    await page.locator('.cell[aria-label^="b2:"] .ground').click();
    await game.shows('#learn-text', /^b2 loses \d+%.* Try another one.$/);
    await game.turn(1);
    await page.click('#learn-end');
    assert.deepEqual(await page.locator('#variations [aria-label=Next] button').allInnerTexts(), ['2. a1', '2. b2']);
    await page.locator('#variations button', { hasText: 'b2' }).click();
    await game.turn(2);
    assert.equal(await game.text('#chance-B'), 'Black 25%');
  },

  // One learns from one's own mistakes, of which the first was made with the other colour where somebody has swapped.
  async 'learn after a swap'(game) {
    const { page } = game, turns = 'c3 swap a1 e3 e1 a3'.split(' '), lost = [0.3, 0, 0.2, 0.4, 0.1, 0.5];
    await page.keyboard.press('Escape');
    const settings = { game: 'sgolte', size: 3, komi: 0 }, seats = { B: 0, W: 1 };
    await game.keptReview(turns, lost, turns.map(() => null), { settings, better: 'b2', seats });
    for (const from of ['End', 'Home']) {
      await page.keyboard.press(from);
      await game.turn(from === 'End' ? 6 : 0);
      await page.click('#learn');
      for (const [number, turn] of [[1, 'c3'], [2, 'a1'], [3, 'e1']]) {
        await game.shows('#learn-text', new RegExp(`^${number} of 3: \\w+ played ${turn} here`));
        if (number < 3) await page.click('#learn-next');
      }
      await page.click('#learn-end');
    }
    await game.shows('#accuracy-of', 'Each player under the colour after the swap:');
    const rows = (await page.locator('#accuracies tr').allInnerTexts()).map((text) => text.split(/\s+/).filter(Boolean));
    assert.deepEqual(rows.map(([player, , loss]) => [player, loss]), [['Black', '30.0%'], ['White', '20.0%']]);
    for (const [player, numbers] of [['W', [1, 3, 5]], ['B', [6, 4]]]) {
      await page.selectOption('#mistakes-of', player);
      const listed = await page.locator('#mistakes .link').allInnerTexts();
      assert.deepEqual(listed.map((text) => parseInt(text, 10)), numbers);
      assert.equal(await page.locator(`#mistakes .dot-${player}`).count(), numbers.length);
    }
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
    const phone = new Game(tab);
    await tab.goto(page.url().split('#')[0]);
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

  // The mistakes are the losses above half the noise of the review, which is kept with the game.
  async 'noise'(game) {
    const { page } = game, turns = 'e5 d3 f4 c5 g3 e7'.split(' '), chances = [0.04, 0.1, 0.2, 0.05, 0.079, 0.3];
    await game.keptReview(turns, chances, turns.map(() => 1));
    assert.equal(await page.locator('#mistakes li').count(), 5);
    await game.keptReview(turns, chances, turns.map(() => 1), { noise: 0.3 });
    assert.equal(await page.locator('#mistakes li').count(), 2);
    const kept = await page.evaluate(() => {
      window.dispatchEvent(new Event('pagehide'));
      return JSON.parse(sessionStorage.getItem('stigmergy-game')).noise;
    });
    assert.equal(kept, 0.3);
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
};
