// Games as files, pictures and links; positions that are set up.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { agreed, Game, hasServer, pictures } from '../board_game.mjs';

// A file with a text, so many times, as the page has it when it is dropped. Made there: a large one takes long to get there.
const filled = (page, name, text, times = 1) => page.evaluateHandle(([file, content, count]) => {
  const transfer = new DataTransfer();
  transfer.items.add(new File([content.repeat(count)], file));
  return transfer;
}, [name, text, times]);

async function drop(page, dataTransfer, selector = '#board') {
  await page.dispatchEvent(selector, 'dragover', { dataTransfer });
  assert.equal(await page.locator('body.dropping').count(), 1);
  await page.dispatchEvent(selector, 'drop', { dataTransfer });
  assert.equal(await page.locator('body.dropping').count(), 0);
}

export const tests = {
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

  // The date of a game that was opened stays, also over a reload and among the kept games; a new game has today's.
  async 'date'(game) {
    const { page } = game;
    await page.keyboard.press('Escape');
    await game.openText('(;GM[stigmergy]SZ[3]KM[0]DT[2019-05-04];B[c3])');
    await game.sgf(/DT\[2019-05-04\]/);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await game.sgf(/DT\[2019-05-04\]/);
    await game.startForTwo(4, 0);
    const today = await page.evaluate(() => new Date().toLocaleDateString('sv')); // Swedes write it so
    assert.ok((await game.sgf(/SZ\[4\]/)).includes(`DT[${today}]`));
    await page.click('#games');
    await page.locator('#games-list .game-of').click();
    await game.hasBoard(3);
    await game.sgf(/DT\[2019-05-04\]/);
    await game.openText('(;GM[stigmergy]SZ[3]KM[0];B[c3])');
    assert.doesNotMatch(await game.sgf(/SZ\[3\]/), /DT/); // nobody knows it
  },

  // A game has the date of the place where it is played.
  async 'date of the place'(game) {
    const context = await game.browser.newContext({ timezoneId: 'America/Los_Angeles' }), page = await context.newPage(), there = new Game(page);
    await page.clock.setFixedTime('2026-03-10T18:30:00-07:00'); // it is the next day in Greenwich
    await page.goto(game.page.url());
    await page.waitForSelector('body[data-ready]');
    await there.startForTwo(3, 0);
    assert.match(await there.sgf(/SZ\[3\]/), /DT\[2026-03-10\]/);
    await context.close();
  },

  // Letters of ISO 8859-1 are kept, also beside those of UTF-8.
  async 'letters of a file'(game) {
    const { page } = game, latin = '(;FF[4]CA[ISO-8859-1]GM[stigmergy]SZ[3]KM[0]PB[M\xfcller]C[Gr\xfc\xdfe];B[a1]C[sch\xf6n])';
    const bytes = Buffer.concat([Buffer.from(latin, 'latin1'), Buffer.from('(;SZ[3]PB[Bolaños 棋];B[b1])')]);
    await page.keyboard.press('Escape');
    await page.click('#open');
    await page.setInputFiles('#open-file', { name: 'a.sgf', mimeType: 'text/plain', buffer: bytes });
    await page.waitForFunction(() => document.querySelector('#open-text').value.endsWith('PB[Bolaños 棋];B[b1])'));
    await page.click('#open-dialog button.primary');
    await game.shows('#player-B .name', 'Müller');
    assert.match(await game.sgf(/PB/), /PB\[Müller\][^]*C\[Grüße\][^]*C\[schön\]/);
    const dropped = await page.evaluateHandle((codes) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([Uint8Array.from(codes)], 'b.sgf'));
      return transfer;
    }, [...Buffer.from(latin.replace('ller', 'ller 2'), 'latin1')]);
    await drop(page, dropped);
    await game.shows('#player-B .name', 'Müller 2');
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

  // A link that is pasted is one more entry of the browser's history: Back leads to the game before, in which the computer
  // plays on. What is wrong with a link or a file stays in the dialog, with what was typed.
  async 'a pasted link'(game) {
    const { page } = game, error = '#open-dialog .error', before = () => page.url().split('#')[1];
    await game.start({ size: 3, level: 1, komi: 0, checks: [{ name: 'opponent', value: 'computer' }, { name: 'strength', value: 'level' }, agreed, { name: 'side', value: 'B' }] });
    await game.began(3);
    await game.cell(9).click();
    await game.turn(2);
    const computer = await game.text('#player-W .name'), address = before();
    await page.click('#open');
    await page.fill('#open-text', '#game=stigmergy&size=3&moves=c3.c3');
    await page.click('#open-dialog button.primary');
    await game.shows(error, 'The link holds no position');
    assert.equal(await page.inputValue('#open-text'), '#game=stigmergy&size=3&moves=c3.c3');
    assert.equal(before(), address);
    await page.setInputFiles('#open-file', { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from([137, 80, 0, 71]) });
    await page.waitForFunction(() => document.querySelector('#open-text').value.includes('\0'));
    await page.click('#open-dialog button.primary');
    await game.shows(error, 'this is no text, expected a game');
    await page.locator('#open-file').evaluate((field, file) => {
      field.files = file.files;
      field.dispatchEvent(new Event('change'));
    }, await filled(page, 'b.sgf', ' ', 2 ** 23));
    await game.shows(error, 'b.sgf: this is larger than 8 MiB, expected a game');
    await page.fill('#open-text', '#game=stigmergy&size=4&komi=0&moves=d4');
    await page.click('#open-dialog button.primary');
    await game.hasBoard(4);
    await page.goBack();
    await game.hasBoard(3);
    await game.turn(2);
    assert.equal(await game.text('#player-W .name'), computer);
    await page.locator('#board .cell.open .ground').first().click();
    await game.turn(4);
    await page.goForward();
    await game.hasBoard(4);
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
    await drop(page, await filled(page, 'game.sgf', '(;GM[stigmergy]SZ[4]KM[0];B[d4];W[a1])'), '#new-dialog');
    await page.locator('#new-dialog').waitFor({ state: 'hidden' });
    await game.shows('#message', 'The game is open.');
    assert.equal(await page.locator('#message.error').count(), 0);
    await game.hasBoard(4);
    await drop(page, await filled(page, 'nonsense.txt', 'nonsense'));
    await game.shows('#message.error', /^nonsense.txt: move 1: 'nonsense' is not a move/);
    for (const [character, length] of [[' ', 2 ** 23], ['\n', 2 ** 22]]) { // that many line ends are too long for the server
      await drop(page, await filled(page, 'large.sgf', character, length));
      await game.shows('#message.error', 'large.sgf: this is larger than 8 MiB, expected a game');
    }
    await page.click('#open');
    await drop(page, await filled(page, 'bad.sgf', '(;'), '#open-dialog');
    await game.shows('#open-dialog .error', 'bad.sgf: ');
    assert.equal(await page.locator('.turn').count(), 3); // the game is as it was
  },

  // The book of the project is no small file.
  async 'book as a file'(game) {
    const { page } = game, file = new URL('../../../selfplay/results/books/hexhex-4.sgf', import.meta.url);
    await page.keyboard.press('Escape');
    await drop(page, await filled(page, 'book.sgf', readFileSync(file, 'utf8')));
    await game.shows('#message', 'The game is open. It is game 1 of 2 in this file.');
    await page.keyboard.press('ArrowRight');
    await game.turn(1);
    assert.match(await page.inputValue('#comment'), /^Fair komi .* games through here\.$/);
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
    await page.click('#open');
    await page.fill('#open-text', link.replace(/&size=\d/, ''));
    await page.click('#open-dialog button.primary');
    await game.shows('#open-dialog .error', 'it is not whole');
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
    await page.keyboard.press('v');
    await page.click('#view-turn');
    assert.equal(await page.locator('.stone').count(), 2); // the board turns with them
    await page.click('#view-dialog button.primary');
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

  // Another game, by the dialog or by a file, ends setting up: a click plays there. Keys that lead to other turns do
  // not end it.
  async 'set up is left'(game) {
    const { page } = game;
    await game.startForTwo(3, 0);
    for (const other of ['dialog', 'file']) {
      await page.click('#set-up');
      await page.waitForSelector('#set-up-panel:not([hidden])');
      await game.cell(9).click();
      await page.waitForSelector('#cell-9[aria-label*="black stone"]');
      const before = await game.played;
      for (const key of ['u', 'Backspace', 'ArrowLeft', 'ArrowUp', 'Home', 'PageUp']) await page.keyboard.press(key);
      await page.waitForTimeout(300); // nothing changes
      assert.deepEqual([await game.played, await page.isVisible('#set-up-panel')], [before, true]);
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
};
