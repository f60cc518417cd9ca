// Starting a game: which, on what board, who plays, and the choice of komi: one player names it, the other chooses
// sides. The computer can do either, from its own estimate.

import { post } from './api.js';
import { ClockForm } from './clockform.js';
import { HUMAN } from './session.js';
import { komiText, onSubmit, open, readKomi, readNumber, title } from './dialogs.js';
import { cellCount } from './geometry.js';
import { keptGames } from './storage.js';
import { byId, html } from './svg.js';

const USUAL_LEVEL = 3, FIRST_LEVEL = 2, FIRST_SIZE = 5; // the first game is a small and easy one
const SECONDS = { least: 0.1, most: 60 }; // of a move

// Seconds a move, as they were typed.
export const readSeconds = (text) => readNumber(text, 'Seconds a move', SECONDS.least, SECONDS.most);

// The name of the computer on a level of `levels`, or with seconds a move.
export const computerName = (levels, level, seconds) => (seconds ? `Stigmergy (${seconds} s a move)` : levels[level - 1].title);

export class NewGame {
  constructor(session, setup, started) {
    this.session = session;
    this.setup = setup;
    this.isNew = !keptGames().length; // for somebody who has never played here
    this.started = started;
    this.dialog = byId('new-dialog');
    this.form = this.dialog.querySelector('form');
    this.clockForm = new ClockForm(byId('new-clock'));
    byId('new-game').replaceChildren(...setup.games.map((game) => html('option', { value: game.name }, title(game.name))));
    byId('new-level').replaceChildren(...setup.levels.map(({ level, name, elo }) => html('option', { value: level, selected: level === (this.isNew ? FIRST_LEVEL : USUAL_LEVEL) }, `${level} · ${name} (Elo ${elo})`)));
    this.form.addEventListener('change', () => this.refresh());
    byId('new-game').addEventListener('change', () => this.sizes(true));
    onSubmit(this.dialog, (data, button, signal) => this.begin(data, signal));
    onSubmit(byId('side-dialog'), (data, button, signal) => this.chosen(button.value, signal));
    byId('side-dialog').addEventListener('cancel', (event) => { event.preventDefault(); this.back(); });
    byId('side-back').addEventListener('click', () => this.back());
    byId('new').addEventListener('click', () => this.open());
    this.offer(this.isNew ? 'new-intro' : 'new-start');
    this.sizes(true);
  }

  // The first game has been played.
  settleIn() {
    this.isNew = false;
    this.offer('new-start');
  }

  // Which button comes first: the lessons, or the game.
  offer(id) {
    for (const button of ['new-intro', 'new-start']) byId(button).classList.toggle('primary', button === id);
  }

  sizeOf({ usualSize }) {
    return this.isNew ? Math.min(FIRST_SIZE, usualSize) : usualSize;
  }

  // `game`: the one to be chosen, where that is known.
  open(game = '') {
    if (this.isNew && keptGames().length) this.settleIn();
    if (game && game !== byId('new-game').value) {
      byId('new-game').value = game;
      this.sizes(true);
    }
    this.refresh();
    open(this.dialog);
  }

  get game() {
    return this.setup.games.find((game) => game.name === byId('new-game').value);
  }

  sizes(usual) {
    const { game } = this, select = byId('new-size'), before = Number(select.value);
    const options = [];
    for (let size = game.minSize; size <= game.maxSize; size++)
      options.push(html('option', { value: size }, `${size}  (${cellCount(size)} cells)`));
    select.replaceChildren(...options);
    select.value = usual ? this.sizeOf(game) : Math.min(Math.max(before, game.minSize), game.maxSize);
    if (usual && game.pie) this.form.elements.pie.value = game.pie;
    this.refresh();
  }

  // Shows the fields that matter for what is chosen.
  refresh() {
    const data = new FormData(this.form), alone = data.get('opponent') === 'computer', { hasPoints, hasCapture, pie } = this.game;
    byId('new-about').hidden = !this.isNew || this.game.name !== 'stigmergy';
    byId('pie-field').hidden = !pie;
    byId('capture-field').hidden = !hasCapture;
    byId('computer-fields').hidden = !alone;
    byId('komi-fields').hidden = !hasPoints;
    byId('komi-computer').hidden = byId('komi-me').hidden = !alone;
    byId('komi-other').hidden = alone;
    const ways = [...this.form.elements.way].filter((radio) => !radio.closest('label').hidden);
    if (!ways.some((radio) => radio.checked)) ways[0].checked = true;
    const way = hasPoints ? this.form.elements.way.value : 'fixed';
    byId('komi-number').hidden = way === 'computer' || !hasPoints;
    byId('komi-limits').textContent = `−${cellCount(byId('new-size').value)} to ${cellCount(byId('new-size').value)}`;
    byId('side-field').hidden = !alone || way !== 'fixed';
    byId('time-field').hidden = data.get('strength') !== 'time';
    byId('level-field').hidden = byId('new-elo').hidden = data.get('strength') === 'time';
  }

  // What is not as usual in this game.
  variant(data) {
    const { hasCapture, pie } = this.game, wanted = data.get('pie'), capture = data.get('capture');
    return { ...(hasCapture && capture !== 'free' ? { capture } : {}), ...(pie && wanted !== pie ? { pie: wanted } : {}) };
  }

  // Reads the form and settles komi; the game begins here, or when a side has been chosen.
  async begin(data, signal) {
    const settings = { game: data.get('game'), size: Number(data.get('size')), komi: 0, ...this.variant(data) };
    const alone = data.get('opponent') === 'computer';
    const level = data.get('strength') === 'time' ? this.setup.levels.length : Number(data.get('level'));
    const moveTime = alone && data.get('strength') === 'time' ? readSeconds(data.get('time')) : 0;
    const way = this.game.hasPoints ? data.get('way') : 'fixed';
    const clock = this.clockForm.read();
    this.pending = { settings, level, moveTime, clock, alone };
    if (this.game.hasPoints && way !== 'computer') settings.komi = readKomi(data.get('komi'), settings.size);
    if (way === 'computer') return this.computerNames(signal);
    if (way === 'me') return this.computerChooses(signal);
    if (way === 'other') return this.askSide('The other player chooses a side:', 'Play Black', 'Play White');
    return this.play(alone ? data.get('side') : null, signal);
  }

  async busy(text, work) {
    const button = byId('new-start'), before = button.textContent;
    button.disabled = true;
    button.textContent = text;
    try {
      return await work();
    } finally {
      button.disabled = false;
      button.textContent = before;
    }
  }

  async computerNames(signal) {
    const { settings, level } = this.pending;
    const { komi } = await this.busy('The computer thinks…', () => post('api/komi', { game: settings.game, size: settings.size, level, seed: 1 + Math.floor(Math.random() * 1e9) }, signal));
    settings.komi = komi;
    this.askSide('The computer names komi. Which side do you take?', 'I play Black', 'I play White');
  }

  async computerChooses(signal) {
    const { settings, level } = this.pending;
    const { side } = await this.busy('The computer thinks…', () => post('api/komi', { game: settings.game, size: settings.size, komi: settings.komi, level }, signal));
    const mine = side === 'B' ? 'W' : 'B';
    if (!await this.play(mine, signal)) return;
    this.session.emit('message', `With komi ${komiText(settings.komi)} the computer takes ${side === 'B' ? 'Black' : 'White'}; you play ${mine === 'B' ? 'Black' : 'White'}.`);
  }

  askSide(text, black, white) {
    const { komi } = this.pending.settings;
    byId('side-text').textContent = text;
    byId('side-komi').textContent = `Komi ${komiText(komi)}: White gets ${komiText(komi)} ${Math.abs(komi) === 1 ? 'point' : 'points'}.${komi % 2 ? ' A button lies on the table: once, one player may take it instead of moving, for half a point.' : ''}`;
    byId('side-black').textContent = black;
    byId('side-white').textContent = white;
    this.dialog.close();
    open(byId('side-dialog'));
  }

  // Neither side, but another game.
  back() {
    byId('side-dialog').close();
    this.open();
  }

  chosen(side, signal) {
    return this.play(this.pending.alone ? side : null, signal);
  }

  // `mine`: the human's colour against the computer; null where two people play. False where another game came first.
  async play(mine, signal) {
    const { settings, level, moveTime, clock } = this.pending;
    const seats = { B: HUMAN, W: HUMAN }, names = { B: '', W: '' }, moveTimes = { B: 0, W: 0 };
    if (mine === 'random') mine = Math.random() < 0.5 ? 'B' : 'W';
    if (mine) {
      const other = mine === 'B' ? 'W' : 'B';
      seats[other] = level;
      moveTimes[other] = moveTime;
      names[other] = computerName(this.setup.levels, level, moveTime);
      names[mine] = 'You';
    }
    const begun = await this.session.start(settings, undefined, { seats, names, moveTimes, clock, signal });
    if (begun) this.started();
    return begun;
  }
}
