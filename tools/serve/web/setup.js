// Setting up a position by hand: a click puts a stone of the chosen kind or takes it away; then the game goes on there.
// Event: `change` when it begins or ends.

import { GameTree } from './tree.js';
import { post } from './api.js';
import { readKomi } from './dialogs.js';
import { variantOf } from './link.js';
import { byId, hide } from './svg.js';

export class Setup extends EventTarget {
  constructor(session, board, done) {
    super();
    this.session = session;
    this.board = board;
    this.done = done;
    this.on = false;
    byId('set-up').addEventListener('click', () => (this.on ? this.leave() : this.enter()));
    byId('set-up-done').addEventListener('click', () => this.finish());
    byId('set-up-cancel').addEventListener('click', () => this.leave());
    byId('set-up-clear').addEventListener('click', () => { this.stones.clear(); this.draw(); });
    byId('set-up-komi').addEventListener('input', () => this.showButton());
    session.addEventListener('position', () => this.close()); // another position or game ends it
  }

  // Begins with the stones of the position on the board.
  enter() {
    const { position, settings } = this.session;
    this.session.stopThinking();
    this.turn(true);
    this.stones = new Map();
    [...position.stones].forEach((stone, cell) => { if (stone !== '.') this.stones.set(cell, stone); });
    byId('set-up-komi').value = settings.komi;
    byId('set-up-komi').closest('label').hidden = position.score?.black === undefined; // a game without points
    byId('set-up-panel').querySelector(`[name=first][value=${position.toMove}]`).checked = true;
    this.showButton();
    this.draw();
  }

  // The server puts it there, whoever held it before.
  showButton() {
    byId('set-up-button').hidden = Number(byId('set-up-komi').value) % 2 === 0;
  }

  close() {
    if (this.on) this.turn(false);
  }

  turn(on) {
    this.on = on;
    this.show();
    this.dispatchEvent(new Event('change'));
  }

  show() {
    hide(byId('set-up-panel'), !this.on, byId('set-up'));
    byId('set-up').setAttribute('aria-pressed', this.on);
    this.board.svg.classList.toggle('setting-up', this.on);
  }

  value(name) {
    return byId('set-up-panel').querySelector(`[name=${name}]:checked`).value;
  }

  settings(komi) {
    const { settings } = this.session, { cells } = this.board.geometry;
    return {
      game: settings.game, size: settings.size, komi, ...variantOf(settings),
      initialStones: [...this.stones].sort((a, b) => a[0] - b[0]).map(([cell, stone]) => [stone, cells[cell].name]),
      initialPlayer: this.value('first'),
    };
  }

  // The click of a cell while setting up.
  choose(cell) {
    const kind = this.value('kind');
    if (kind === 'erase' || this.stones.get(cell) === kind) this.stones.delete(cell);
    else this.stones.set(cell, kind);
    this.draw();
  }

  // Shows the stones as the server sees them, with control, to which komi is nothing.
  async draw() {
    const number = this.drawing = (this.drawing ?? 0) + 1;
    try {
      const position = await post('api/position', this.settings(0));
      if (this.on && number === this.drawing) this.board.show(position);
      byId('set-up-error').textContent = '';
    } catch (error) {
      byId('set-up-error').textContent = error.message;
    }
  }

  async finish() {
    try {
      const { session } = this, komi = readKomi(byId('set-up-komi').value, session.settings.size);
      const [seats, names, moveTimes] = [session.seats, session.names, session.moveTimes].map((of) => session.byColour(of)); // no swap leads there
      if (await session.start(this.settings(komi), new GameTree(), { seats, names, moveTimes, clock: session.clock })) this.done();
    } catch (error) {
      byId('set-up-error').textContent = error.message;
    }
  }

  leave() {
    this.session.emit('position');
  }
}
