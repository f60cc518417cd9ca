// Which moves the analysis looks at: all, only some, or all but some. While one of the two switches is on, a click on the
// board chooses moves instead of playing them. The choice holds for one position; a link holds it, too.
//
// Events: `change`, and `mode` when clicks get another meaning.

import { byId, html, refill } from './svg.js';

const KINDS = ['only', 'not'];

export class Narrowing extends EventTarget {
  constructor(session, board) {
    super();
    Object.assign(this, { session, board, moves: new Map(), mode: null }); // moves: action -> only or not
    this.key = '';
    for (const kind of KINDS) byId(kind).addEventListener('click', () => this.switchTo(this.mode === kind ? null : kind));
    session.addEventListener('position', () => this.settle());
  }

  list(kind) {
    return [...this.moves].filter(([, value]) => value === kind).map(([action]) => action);
  }

  get chosen() {
    return { only: this.list('only'), not: this.list('not') };
  }

  get active() {
    return this.moves.size > 0;
  }

  // What a query says about it (KataGo's analysis protocol).
  get request() {
    const player = this.session.position?.toMove, { only, not } = this.chosen;
    const entry = (moves) => (moves.length ? [{ player, moves, untilDepth: 1 }] : undefined);
    return { allowMoves: entry(only), avoidMoves: entry(not) };
  }

  // Another position begins with all moves.
  settle() {
    const key = JSON.stringify(this.session.describe());
    if (this.key !== key) {
      this.key = key;
      this.mode = null;
      this.moves.clear();
    }
    this.draw();
  }

  // Takes the moves that a link names, as far as there are such moves.
  take({ only, not }) {
    const { legal } = this.session.position, known = (action) => legal.some((one) => one.action === action);
    this.moves = new Map([...only.map((action) => [action, 'only']), ...not.map((action) => [action, 'not'])].filter(([action]) => known(action)));
    this.changed();
  }

  switchTo(mode) {
    this.mode = mode;
    this.draw();
    this.dispatchEvent(new Event('mode'));
  }

  toggle(action) {
    if (this.moves.get(action) === this.mode) this.moves.delete(action);
    else this.moves.set(action, this.mode);
    this.changed();
  }

  changed() {
    this.draw();
    this.dispatchEvent(new Event('change'));
  }

  draw() {
    const { board } = this, line = byId('narrow-text'), texts = [];
    for (const kind of KINDS) byId(kind).setAttribute('aria-pressed', String(this.mode === kind));
    board.svg.classList.toggle('choosing', this.mode !== null);
    if (board.geometry) board.showChosen([...this.moves].flatMap(([action, kind]) => board.geometry.cellsOf(action).map((cell) => ({ cell, kind }))));
    for (const [kind, moves] of Object.entries(this.chosen)) if (moves.length) texts.push(`${kind} ${moves.join(', ')}`);
    const hint = this.mode ? `Choose the moves to ${this.mode === 'only' ? 'search' : 'leave out'}; the switch ends it.` : '';
    line.hidden = !hint && !texts.length;
    refill(line, [...(texts.length ? [`Searched: ${texts.join('; ')}. `] : []), hint,
      ...(texts.length ? [' ', html('button', { class: 'small', onclick: () => { this.moves.clear(); this.changed(); } }, 'All moves')] : [])]);
  }
}
