// What the browser keeps: games, analysis, several tabs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Game, PATIENCE } from '../board_game.mjs';

// Loads the page again, with a storage of its games that holds 1 MB, or what `leaveRoom` says.
async function limitStorage(page) {
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
}

// From here on the storage holds so many bytes more than it has now.
function leaveRoom(page, bytes) {
  return page.evaluate((room) => { localStorage.room = Object.entries(localStorage).reduce((sum, [key, text]) => sum + key.length + text.length, room); }, bytes);
}

export const tests = {
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

  // What is no game hurts no other one; a game that the server refuses says why.
  async 'kept games that are damaged'(game) {
    const { page } = game, listed = page.locator('#games-list .game-of'), settings = { game: 'stigmergy', size: 3, komi: 0 };
    const names = { B: '', W: '' }, nodes = [{ parent: 0, turn: 'a1' }];
    const kept = [{ settings, names }, { settings, nodes }, { names, nodes }, { settings, names, nodes: [{ parent: 7, turn: 'a1' }] }, { settings, names, nodes: [{ parent: 0, turn: 'zz' }], current: 1 }];
    await game.startForTwo(4, 0);
    await game.play(0);
    await page.evaluate((games) => {
      games.forEach((one, i) => { localStorage.setItem(`stigmergy-games/${i}`, JSON.stringify({ id: String(i), when: i, ...one })); });
      history.replaceState(null, '', location.pathname);
      addEventListener('pagehide', () => { sessionStorage.setItem('stigmergy-game', JSON.stringify(games[0])); });
    }, kept);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await page.keyboard.press('Escape');
    await page.click('#games');
    assert.equal(await listed.count(), 2);
    await listed.nth(1).click();
    await game.shows('#message.error', "This game cannot be opened: 'moves' is wrong");
    await page.click('#games');
    await listed.nth(0).click();
    await game.hasBoard(4);
    await game.turn(1);
  },

  // Forward leads through the turns that were played last, also after a reload at an earlier turn.
  async 'kept way forward'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    await page.keyboard.press('u');
    await game.turn(1);
    await game.play(4, 2);
    await page.click('#resign');
    await game.shows('#status', 'Black wins: White resigned');
    const end = page.url();
    await page.keyboard.press('Home');
    await game.turn(0);
    await page.reload();
    await game.turn(0);
    await page.keyboard.press('End');
    await game.turn(3);
    assert.equal(page.url(), end);
  },

  // A game that is deleted while it is on the board is listed again only when somebody plays on.
  async 'a deleted game'(game) {
    const { page } = game, remove = page.locator('#games-list button[title="Delete this game"]');
    const hasGames = async (count) => {
      await page.click('#games');
      assert.equal(await page.locator('#games-list .game-of').count(), count);
      await page.click('#games-dialog [data-close]');
    };
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    await page.click('#games');
    await remove.click();
    await page.click('#games-dialog [data-close]');
    await page.click('#back');
    await game.turn(1);
    await hasGames(0);
    await page.reload();
    await game.turn(1);
    await hasGames(0);
    await game.play(2);
    await hasGames(1);
    await page.click('#games');
    await remove.click();
    await page.locator('#games-list button', { hasText: 'Bring it back' }).click();
    await page.click('#games-dialog [data-close]');
    await page.click('#back');
    await game.turn(1);
    await hasGames(1);
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

  // Where the chance of one turn alone is known, the graph has a dot there, and no area beside it.
  async 'one known chance'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0);
    await page.addInitScript(() => {
      const kept = JSON.parse(sessionStorage['stigmergy-game']), known = { winrate: 0.7, scoreLead: 1, sims: 5, proven: false, moves: [], currentPlayer: 'W' };
      sessionStorage['stigmergy-game'] = JSON.stringify({ ...kept, found: [null, known, null] });
    });
    await page.reload();
    await game.turn(2);
    assert.equal(await page.locator('#graph .graph-white').getAttribute('width'), '0.0');
    assert.equal(await page.locator('#graph .graph-lone').count(), 1);
    await page.click('#enlarge');
    await page.locator('#chart .graph-lone').waitFor();
    assert.equal(await page.locator('#chart .graph-white').getAttribute('width'), '0');
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
    await limitStorage(page);
    const kept = () => page.evaluate(() => Object.entries(localStorage).filter(([key]) => key.startsWith('stigmergy-games/')).map(([, text]) => JSON.parse(text))
      .sort((a, b) => a.when - b.when).map(({ settings, found }) => `${settings.komi}:${found.some((analysis) => analysis?.moves.length) ? 'thick' : found.some(Boolean) ? 'thin' : 'bare'}`));
    await game.startForTwo(3, 1);
    await game.play(9);
    await page.click('#analyse');
    await page.locator('.candidate.best').waitFor();
    await game.shows('#search-state', /[kM] sim|proven/); // so there is much to give way
    await page.click('#analyse');
    await game.startForTwo(3, 2);
    await game.play(0);
    assert.deepEqual(await kept(), ['1:thick', '2:bare']);
    await leaveRoom(page, 100);
    await game.startForTwo(3, 3);
    await game.play(18);
    assert.deepEqual(await kept(), ['1:thin', '2:bare', '3:bare']);
    assert.equal(await page.locator('#message').isVisible(), false);
    await leaveRoom(page, 100);
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

  // A game that grew while the storage was full is the same game when there is room again, also after a reload.
  async 'a game without room'(game) {
    const { page } = game;
    await limitStorage(page);
    await game.startForTwo(3, 1);
    await game.play(9);
    await leaveRoom(page, 100);
    await page.click('#analyse');
    await page.locator('.candidate.best').waitFor();
    await game.shows('#search-state', /[kM] sim|proven/); // so it has grown
    await page.click('#analyse');
    await page.reload();
    await game.turn(1);
    await leaveRoom(page, 1e6);
    await game.play(0);
    await page.click('#games');
    assert.deepEqual(await page.locator('#games-list .game-of b').allInnerTexts(), ['Stigmergy 3, komi 1 · two people · 2 turns']);
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

  // A game whose turns were all removed is the same game when they come back.
  async 'all turns removed'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    await game.play(9, 0, 4);
    await page.keyboard.press('Home');
    await game.turn(0);
    await page.keyboard.press('ArrowRight');
    await game.turn(1);
    await page.click('#cut');
    await game.turn(0);
    await page.click('#take-back');
    await game.turn(1);
    await page.click('#games');
    assert.deepEqual(await page.locator('#games-list .game-of b').allInnerTexts(), ['Stigmergy 3 · two people · 3 turns']);
  },
};
