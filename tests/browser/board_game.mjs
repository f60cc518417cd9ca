// What the tests of the board share: the page that is tested, and what they do with it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { serveFolder } from './static.mjs';

export const [binary, pictures] = process.argv.slice(2); // the arguments of board.mjs
export const hasServer = !statSync(binary).isDirectory();
export const PATIENCE = 60000; // milliseconds: for machines that are slow or busy
export const agreed = { name: 'way', value: 'fixed' }; // a komi that both know

// Starts the page: {server, address}. `server.kill()` ends it.
export async function serve(...options) {
  if (!hasServer) {
    const host = await serveFolder(binary);
    return { server: { kill: host.close }, address: host.address };
  }
  const server = spawn(binary, ['serve', ...(options.includes('--port') ? [] : ['--port', '0']), '--threads', '2', ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  return { server, address: String(line).trim() };
}

// A page with the board.
export class Game {
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
    for (const dialog of ['#new-dialog', '#side-dialog']) await this.page.locator(dialog).waitFor({ state: 'hidden' });
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

  // Opens a game that a review has judged: what each turn lost, of the chance and in points, and a better turn.
  async keptReview(turns, chances, points, { settings, better = 'a1', noise, seats } = {}) {
    settings ??= { game: 'stigmergy', size: 5, komi: 6 };
    const hasSwapped = (i) => turns.slice(0, i).includes('swap'); // then White moves twice in a row
    const { page } = this, found = { winrate: 0.5, scoreLead: 0, sims: 1, proven: false, moves: [] };
    await page.addInitScript((kept) => sessionStorage.setItem('stigmergy-game', kept), JSON.stringify({
      settings, seats, names: { B: '', W: '' }, current: turns.length, reviewed: turns.length, noise,
      nodes: turns.map((turn, i) => ({ parent: i, turn })),
      found: [null, ...turns].map((_, i) => ({ ...found, currentPlayer: (i % 2 === 1) !== hasSwapped(i) ? 'W' : 'B' })),
      checked: [null, ...turns.map((_, i) => ({ chance: chances[i], points: points[i], better: chances[i] ? better : null, reached: 0.9, reply: [better] }))],
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
