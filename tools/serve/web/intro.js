// The introduction to a game: lessons (lessons.js) on a small board of their own, so that the game on the page stays as
// it is. The engine says what may be played and what follows. A wrong answer is explained, and the lesson begins again.

import { get, post } from './api.js';
import { Board } from './board.js';
import { onSubmit, open, title } from './dialogs.js';
import { hexagon } from './geometry.js';
import { LESSONS, Situation } from './lessons.js';
import { sightLines } from './sight.js';
import { byId, element, html } from './svg.js';

const names = (text) => text.split(' ').filter(Boolean);

export class Introduction {
  // `play` is called with a game's name by those who have seen enough.
  constructor(play) {
    this.dialog = byId('intro-dialog');
    this.board = new Board(byId('intro-board'), 'intro-');
    this.boards = new Map(); // the engine's description of each size
    this.solved = new Set();
    this.game = 'stigmergy';
    this.at = 0;
    this.tried = false; // whether this lesson was answered: then the marked cell shows what it sees
    this.back = () => {}; // to where one came from
    this.board.addEventListener('choose', (event) => this.choose(event.detail));
    this.board.addEventListener('look', (event) => this.look(event.detail));
    byId('intro-next').addEventListener('click', () => (this.isLast && this.solved.has(this.lesson) ? this.leave(play) : this.show(this.isLast ? 0 : this.at + 1)));
    byId('intro-again').addEventListener('click', () => { this.tried = false; this.board.svg.focus(); this.restart(); });
    onSubmit(this.dialog, async () => {});
    this.dialog.querySelector('[data-close]').addEventListener('click', () => this.back());
    this.dialog.addEventListener('cancel', () => this.dialog.addEventListener('close', () => this.back(), { once: true }));
  }

  get lesson() {
    return LESSONS[this.game][this.at];
  }

  get isLast() {
    return this.at + 1 === LESSONS[this.game].length;
  }

  // `back` is called when it is closed.
  open(game, back = this.back) {
    this.back = back;
    if (!this.dialog.open) open(this.dialog);
    this.board.svg.focus();
    this.game = game;
    return this.show(0);
  }

  leave(play) {
    this.dialog.close();
    play(this.game);
  }

  async show(number) {
    this.at = number;
    this.tried = false;
    const { lesson } = this;
    byId('intro-title').textContent = `${title(this.game)} in ${LESSONS[this.game].length} steps`;
    byId('intro-games').replaceChildren(...Object.keys(LESSONS).map((game) =>
      html('button', { type: 'button', class: 'small', 'aria-pressed': String(game === this.game), onclick: () => this.open(game) }, title(game))));
    byId('intro-text').textContent = lesson.text;
    byId('intro-task').textContent = lesson.task;
    await this.restart();
    this.dialog.scrollTop = 0;
  }

  drawSteps() {
    const steps = byId('intro-steps'), focused = steps.contains(document.activeElement);
    steps.replaceChildren(...LESSONS[this.game].map((lesson, number) =>
      html('li', {}, html('button', {
        type: 'button', class: 'small', 'aria-current': number === this.at ? 'step' : false, title: lesson.title,
        'aria-label': `${number + 1}. ${lesson.title}${this.solved.has(lesson) ? ', done' : ''}`, onclick: () => this.show(number),
      }, this.solved.has(lesson) ? `${number + 1} ✓` : String(number + 1)))));
    if (focused) steps.querySelector('[aria-current]').focus();
    const next = byId('intro-next'), solved = this.solved.has(this.lesson);
    next.textContent = this.isLast ? (solved ? `Play ${title(this.game)}` : 'From the beginning') : solved ? 'Next' : 'Skip';
    next.classList.toggle('primary', solved);
  }

  answer(text, kind = '') {
    this.board.svg.dataset.answers = this.answers = (this.answers ?? 0) + 1;
    byId('intro-answer').textContent = text;
    byId('intro-answer').className = kind;
  }

  // What names the position of the lesson, with the actions that were taken in it.
  request(actions) {
    const { black, white, size, to = 'B', komi = 0, moves = [] } = this.lesson;
    return {
      game: this.game, size, komi, moves, initialPlayer: to, ...(actions.length ? { partialTurn: actions } : {}),
      initialStones: [...names(black).map((cell) => ['B', cell]), ...names(white).map((cell) => ['W', cell])],
    };
  }

  // What is on the board after these actions; null if something else was asked for meanwhile.
  async situation(actions) {
    const { lesson: { size } } = this, asked = this.asked = (this.asked ?? 0) + 1;
    try {
      if (!this.boards.has(size)) this.boards.set(size, await get(`api/board/${size}`));
      const position = await post('api/position', this.request(actions));
      if (asked !== this.asked) return null;
      if (this.board.geometry?.size !== size) this.board.build(this.boards.get(size));
      return new Situation(position, this.board.geometry);
    } catch (error) {
      if (asked === this.asked) this.answer(error.message, 'error');
      return null;
    }
  }

  // The lesson from its beginning; `text` says why. Until it is there, clicks mean nothing: the board still shows
  // another position.
  async restart(text = '', kind = '') {
    this.actions = [...this.lesson.begun ?? []];
    this.played = [];
    this.now = null;
    const start = await this.situation(this.actions);
    if (!start) return;
    this.start = this.now = start;
    this.over = false;
    this.draw();
    this.answer(text, kind);
    this.board.svg.dataset.lesson = `${this.game} ${this.at + 1}`;
    this.drawSteps();
  }

  // Cells to be clicked all look alike: which ones may be played would be the answer.
  draw() {
    const { lesson, now: { position, geometry } } = this, shown = { ...position };
    if (lesson.plain && !this.over) shown.control = null;
    if (this.over || lesson.choices) shown.legal = [];
    else if (lesson.cell) shown.legal = geometry.cells.map(({ number }) => ({ action: '', cell: number, effect: 'other' }));
    this.board.show({ ...shown, changed: lesson.cell ? [] : shown.changed, over: this.over || shown.over, withinTurn: shown.withinTurn && !lesson.cell });
    if (lesson.mark) this.mark(geometry.byName.get(lesson.mark));
    byId('intro-again').hidden = !this.over && !this.played.length;
    byId('intro-choices').replaceChildren(...(this.over ? [] : lesson.choices ?? []).map(([value, text]) =>
      html('button', { type: 'button', onclick: () => this.judge(lesson.right(this.now, value), this.now, value) }, text)));
  }

  // Marks a cell; after an answer with the lines to what it sees.
  mark(cell) {
    const { geometry, position } = this.now;
    this.board.layers.marks.append(element('polygon', { points: hexagon(geometry.cells[cell], 0.9), class: 'marked' }), ...(this.tried ? sightLines(geometry, position, cell, false) : []));
  }

  look(cell) {
    const again = this.board.armed === cell && cell !== null && !this.over ? ' Tap again to choose it.' : '';
    byId('intro-cell').textContent = cell === null || !this.now ? '' : `${this.board.describe(cell)}.${again}`;
  }

  choose(cell) {
    const { lesson, now } = this;
    if (!now || this.over || lesson.choices) return;
    if (lesson.cell) this.judge(lesson.right(now, cell), now, cell);
    else if (now.legal.has(cell)) this.play(now.legal.get(cell), cell);
    else this.answer(`${now.name(cell)}: ${this.board.explain(cell)}.`, 'error');
  }

  // Takes an action of the turn, and judges the turn when it is complete.
  async play({ action }, cell) {
    const { lesson } = this, actions = [...this.actions, action];
    const after = await this.situation(actions);
    if (!after) return;
    Object.assign(this, { actions, now: after, played: [...this.played, cell] });
    if (after.position.completed) this.judge(lesson.right(after, this.start, this.played), after, this.start, this.played);
    else if (lesson.merges) this.restart(lesson.merges, 'error');
    else {
      this.draw();
      this.answer(lesson.goesOn ?? '');
    }
  }

  judge(right, ...what) {
    const { lesson } = this;
    this.tried = true;
    if (!right) {
      const text = `Not quite. ${lesson.wrong(...what)}`;
      if (!lesson.cell && !lesson.choices) return this.restart(text, 'error');
      if (lesson.mark) this.draw();
      this.answer(text, 'error');
      return;
    }
    this.over = true;
    this.solved.add(lesson);
    this.draw();
    this.answer(`Right. ${lesson.done(...what)}`, 'right');
    this.drawSteps();
    if (lesson.choices) byId('intro-next').focus(); // the answer that had the focus is gone
  }
}
