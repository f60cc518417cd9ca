// The board as SVG: cells, stones, control, marks; pointer, touch and keyboard.
//
// It draws what it is told and asks nobody: `show` a position, `expect` the stone of an action, `mark` candidates, owners
// or a variation over it.
// Events: `choose` (detail: cell) when a cell is played, `look` (detail: cell or null) when one is pointed at.

import { Geometry, hexagon } from './geometry.js';
import { rankOf } from './judge.js';
import { sightLines } from './sight.js';
import { change, element } from './svg.js';

const TURNS_SHOWN = 8; // of a variation: more is no longer read

// Stripes for Black's cells, dots for White's: the tints alone are not for all eyes. On the owners' stronger tints they
// have other colours.
function definitions() {
  const stripes = (prefix) => element('pattern', { id: `${prefix}stripes`, width: 0.34, height: 0.34, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    element('rect', { width: prefix ? 0.12 : 0.06, height: 0.34, class: `${prefix}stripe` }));
  const dots = (prefix) => element('pattern', { id: `${prefix}dots`, width: 0.4, height: 0.4, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(30)' },
    element('circle', { cx: 0.2, cy: 0.2, r: prefix ? 0.085 : 0.06, class: `${prefix}dot` }));
  const shade = (id, inner, outer) => element('radialGradient', { id, cx: '35%', cy: '30%', r: '75%' },
    element('stop', { offset: '0%', class: inner }), element('stop', { offset: '100%', class: outer }));
  return element('defs', {}, stripes(''), dots(''), stripes('owner-'), dots('owner-'), shade('black-stone', 'black-light', 'black-dark'), shade('white-stone', 'white-light', 'white-dark'));
}

export class Board extends EventTarget {
  // `prefix`: of the names of its cells, which another board on the page has without it.
  constructor(svg, prefix = '') {
    super();
    this.svg = svg;
    this.prefix = prefix;
    this.geometry = null;
    this.position = null;
    this.candidates = new Map(); // what is said about cells that are candidates
    this.expected = null; // the stone of an action that the server has not answered yet
    this.pointed = null; // the cell under the pointer or the keyboard's cursor
    this.armed = null; // on a touch screen: the cell that a second tap plays
    this.finger = false; // it was no mouse that pointed last: no pointer stays where it was
    this.pinned = []; // the variation that is shown while nothing is pointed at
    for (const kind of ['pointerdown', 'pointermove']) svg.addEventListener(kind, (event) => { this.finger = event.pointerType !== 'mouse'; });
    svg.addEventListener('pointermove', (event) => { if (event.pointerType === 'mouse') this.point(this.cellAt(event)); });
    svg.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') this.point(null); });
    svg.addEventListener('pointerup', (event) => this.released(event));
    svg.addEventListener('mousedown', (event) => { // takes no focus: the arrow keys stay with the game
      event.preventDefault();
      document.activeElement?.blur();
    });
    svg.addEventListener('keydown', (event) => this.pressed(event));
    svg.addEventListener('blur', () => { if (this.armed === null) this.point(null); }); // a tap takes the focus away, too
  }

  // Makes the board of a size, from the server's list of cells, turned clockwise by sixths of a full turn.
  build(board, turns) {
    this.geometry = new Geometry(board, turns);
    this.candidates = new Map();
    this.pointed = this.armed = null;
    const { x, y, width, height } = this.geometry.viewBox;
    this.svg.setAttribute('viewBox', `${x} ${y} ${width} ${height}`);
    this.layers = {};
    this.svg.replaceChildren(...(this.prefix ? [] : [definitions()])); // once on a page
    for (const name of ['cells', 'labels', 'owners', 'stones', 'marks', 'numbers', 'losses', 'better-turn', 'candidates', 'next', 'chosen', 'sight', 'variation'])
      this.svg.append(this.layers[name] = element('g', { class: name, ...(name === 'cells' ? {} : { 'pointer-events': 'none' }) }));
    this.cells = this.geometry.cells.map((cell) => {
      const group = element('g', { id: `${this.prefix}cell-${cell.number}`, class: 'cell', role: 'button', 'data-cell': cell.number },
        element('polygon', { points: hexagon(cell, 0.97), class: 'ground' }),
        element('polygon', { points: hexagon(cell, 0.97), class: 'pattern' }));
      this.layers.cells.append(group);
      return group;
    });
    this.layers.labels.setAttribute('font-size', (0.3 + height / 80).toFixed(2));
    this.layers.labels.append(...this.geometry.labels().map(({ text, x: at, y: line }) =>
      Object.assign(element('text', { x: at, y: line, class: 'label' }), { textContent: text })));
  }

  // Shows a position of the server.
  show(position) {
    this.position = position;
    this.armed = null;
    this.legal = new Map(position.legal.filter((action) => action.cell !== null).map((action) => [action.cell, action]));
    const stones = [], marks = [];
    this.geometry.cells.forEach((cell) => {
      const stone = position.stones[cell.number], control = position.control?.[cell.number] ?? '.';
      change(this.cells[cell.number], 'class', `cell control-${control} ${this.legal.has(cell.number) ? 'open' : stone === '.' && !position.over ? 'shut closed' : 'shut'}`);
      change(this.cells[cell.number], 'aria-label', this.describe(cell.number));
      if (stone === '.') return;
      stones.push(this.stone(cell, stone));
      if (control !== '.' && control !== stone) marks.push(element('circle', { cx: cell.x, cy: cell.y, r: 0.8, class: `threat threat-${control}` }));
    });
    for (const number of position.changed) {
      const cell = this.geometry.cells[number];
      if (position.stones[number] === '.') marks.push(element('polygon', { points: hexagon(cell, 0.5), class: 'gone' }));
      else marks.push(element('circle', { cx: cell.x, cy: cell.y, r: 0.24, class: `last last-${position.stones[number]}` }));
    }
    this.layers.stones.replaceChildren(...stones);
    this.layers.marks.replaceChildren(...marks);
    this.pinVariation(null);
    this.svg.classList.toggle('within', position.withinTurn);
    this.point(this.finger ? null : this.pointed, true);
  }

  // Shows at once the stone that an action puts on a cell or flips there, until the next position. What else it does is
  // shown then. Returns the stone.
  expect(action) {
    this.expected?.remove();
    this.expected = ['place', 'flip'].includes(action?.effect) ? this.stone(this.geometry.cells[action.cell], this.position.toMove) : null;
    if (this.expected) this.layers.stones.append(this.expected);
    return this.expected;
  }

  // On a small screen somebody may have scrolled away from it.
  reveal() {
    this.svg.scrollIntoView({ block: 'nearest' });
  }

  stone(cell, colour, extra = '') {
    return element('circle', { cx: cell.x, cy: cell.y, r: 0.68, class: `stone stone-${colour} ${extra}` });
  }

  // ---- What is drawn over it ----

  text(cell, dy, text, name) {
    return Object.assign(element('text', { x: cell.x, y: cell.y + dy, class: name }), { textContent: text });
  }

  // Candidates: [{cell, loss (0 good .. 1 bad), best, top, bottom, words}]; the words go to the descriptions of the cells.
  showCandidates(candidates) {
    const before = [...this.candidates.keys()];
    this.candidates = new Map(candidates.map(({ cell, words }) => [cell, words]));
    if (this.position) for (const cell of [...before, ...this.candidates.keys()]) change(this.cells[cell], 'aria-label', this.describe(cell));
    this.layers.candidates.replaceChildren(...candidates.flatMap(({ cell: number, loss, best, top, bottom }) => {
      const cell = this.geometry.cells[number];
      const rank = rankOf(loss);
      return [
        element('circle', { cx: cell.x, cy: cell.y, r: 0.74, class: `candidate rank-${rank} ${best ? 'best' : ''}` }),
        this.text(cell, -0.04, top, `figure rank-${rank}`),
        this.text(cell, 0.4, bottom, `figure small rank-${rank}`),
      ];
    }));
  }

  // The numbers of turns on their stones: [{cell, number, newest}].
  showNumbers(numbers) {
    this.svg.classList.toggle('numbered', numbers.length > 0);
    this.layers.numbers.replaceChildren(...numbers.map(({ cell, number, newest }) =>
      this.text(this.geometry.cells[cell], 0.22, String(number), `count count-${this.position.stones[cell]} ${newest ? 'newest' : ''}`)));
  }

  // Moves that are chosen to be searched alone or left out: [{cell, kind: only or not}].
  showChosen(moves) {
    this.layers.chosen.replaceChildren(...moves.map(({ cell: number, kind }) => {
      const cell = this.geometry.cells[number];
      return kind === 'only' ? element('polygon', { points: hexagon(cell, 0.9), class: 'only' })
        : element('path', { d: `M${cell.x - 0.5},${cell.y - 0.5}l1,1m0,-1l-1,1`, class: 'left-out' });
    }));
  }

  // What turns lost, as dots at the rim of their stones, beside the numbers: [{cell, loss}].
  showLosses(losses) {
    this.layers.losses.replaceChildren(...losses.map(({ cell: number, loss }) => {
      const cell = this.geometry.cells[number], rank = rankOf(loss);
      return element('circle', { cx: cell.x + 0.52, cy: cell.y + 0.52, r: [0.13, 0.16, 0.2, 0.24][rank], class: `loss-dot rank-${rank} on-${this.position.stones[number]}` });
    }));
  }

  // Outlines where turns follow: [{cell, loss (null where it is not known), isGame}]; the other ones are variations.
  showNext(turns) {
    this.layers.next.replaceChildren(...turns.flatMap(({ cell, loss, isGame }) => {
      const points = hexagon(this.geometry.cells[cell], 0.86), aside = isGame ? '' : 'aside';
      return [element('polygon', { points, class: `next-edge ${aside}` }),
        element('polygon', { points, class: `next-turn ${aside} ${loss === null ? '' : `rank-${rankOf(loss)}`}` })];
    }));
  }

  // A better turn of a colour, as text; null for none.
  showBetter(turn, colour) {
    const cells = new Set(this.geometry.cellsOf(turn ?? '')), removed = this.geometry.removedBy(turn ?? '');
    this.layers['better-turn'].replaceChildren(...[...cells].flatMap((number) => {
      const cell = this.geometry.cells[number];
      return [removed.has(number) ? this.cross(number) : this.stone(cell, colour, 'ghost'), element('circle', { cx: cell.x, cy: cell.y, r: 0.76, class: 'better-ring' })];
    }));
  }

  // Expected owners, 1 Black's to 0 White's, a number a cell; null to hide them.
  showOwners(owners) {
    this.layers.owners.replaceChildren(...(owners ?? []).map((black, number) => {
      const certainty = Math.abs(black - 0.5) * 2, colour = black > 0.5 ? 'B' : 'W';
      const points = hexagon(this.geometry.cells[number], 0.97);
      return element('g', { class: `owner owner-${colour}`, opacity: (0.85 * certainty ** 0.75).toFixed(3) },
        element('polygon', { points, class: 'fill' }), element('polygon', { points, class: 'pattern' }));
    }));
    this.svg.classList.toggle('owned', Boolean(owners));
  }

  // A principal variation: turns as text, the first made by `mover`. Null to hide it. A cell shows the first turn there.
  showVariation(turns, mover) {
    const parts = [], shown = new Set();
    let colour = mover, number = 1;
    for (const turn of (turns ?? []).slice(0, TURNS_SHOWN)) {
      const removed = this.geometry.removedBy(turn);
      for (const at of this.geometry.cellsOf(turn)) {
        if (removed.has(at)) parts.push(this.cross(at));
        else if (!shown.has(at)) parts.push(...this.ghost(at, colour, number));
        if (!removed.has(at)) shown.add(at);
      }
      if (turn !== 'swap') colour = colour === 'B' ? 'W' : 'B'; // White moves after White's swap
      number++;
    }
    this.svg.classList.toggle('reading', parts.length > 0);
    this.layers.variation.replaceChildren(...parts);
  }

  // Shows a variation until another position: what is pointed at goes before it.
  pinVariation(turns, mover) {
    this.pinned = [turns, mover];
    this.rest();
  }

  // Nothing is pointed at.
  rest() {
    this.showVariation(...this.pinned);
  }

  // A stone of a variation with the number of its turn; a ring where it is flipped.
  ghost(at, colour, number) {
    const cell = this.geometry.cells[at], other = colour === 'B' ? 'W' : 'B';
    const ring = this.position.stones[at] === other ? [element('circle', { cx: cell.x, cy: cell.y, r: 0.56, class: `flip flip-${other}` })] : [];
    return [this.stone(cell, colour, 'ghost'), ...ring, this.text(cell, 0.22, String(number), `count count-${colour}`)];
  }

  cross(at) {
    const { x, y } = this.geometry.cells[at];
    return element('path', { d: `M${x - 0.4},${y - 0.4}l.8,.8m0,-.8l-.8,.8`, class: 'remove' });
  }

  // ---- Pointing and choosing ----

  cellAt(event) {
    const group = document.elementFromPoint(event.clientX, event.clientY)?.closest?.('.cell');
    return group && this.svg.contains(group) ? Number(group.dataset.cell) : null;
  }

  point(number, again = false) {
    if (number === this.pointed && !again) return;
    if (this.pointed !== null) this.cells[this.pointed]?.classList.remove('pointed');
    this.pointed = number;
    this.fresh = again; // the position is new, the pointer has not moved: no comment on the stone just played
    const parts = [];
    if (number !== null && this.position) {
      this.cells[number].classList.add('pointed');
      this.svg.setAttribute('aria-activedescendant', `${this.prefix}cell-${number}`);
      parts.push(...sightLines(this.geometry, this.position, number, !this.layers.candidates.childElementCount));
      const settingUp = this.svg.classList.contains('setting-up'), cell = this.geometry.cells[number];
      const action = settingUp ? null : this.legal.get(number);
      if (action?.effect === 'place') parts.unshift(this.stone(cell, this.position.toMove, 'ghost'));
      if (action?.effect === 'flip') parts.push(element('circle', { cx: cell.x, cy: cell.y, r: 0.5, class: `flip flip-${this.position.toMove}` }));
      if (action?.effect === 'remove') parts.push(this.cross(number));
      if (!action && !again && !settingUp) parts.push(element('path', { d: `M${cell.x - 0.3},${cell.y - 0.3}l.6,.6m0,-.6l-.6,.6`, class: 'no' }));
    } else {
      this.svg.removeAttribute('aria-activedescendant');
    }
    this.layers.sight.replaceChildren(...parts);
    this.dispatchEvent(new CustomEvent('look', { detail: number }));
  }

  // A mouse plays at once; a finger looks first, for it hides the cell and is less exact: the second tap plays.
  released(event) {
    if (event.button !== 0) return;
    const number = this.cellAt(event);
    if (number === null) return;
    if (event.pointerType === 'mouse' || this.armed === number || this.svg.classList.contains('setting-up')) {
      this.choose(number);
    } else {
      this.armed = number;
      this.point(number);
    }
  }

  choose(number) {
    this.armed = null;
    this.dispatchEvent(new CustomEvent('choose', { detail: number }));
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || !this.geometry) return;
    if (event.key.startsWith('Arrow')) {
      const start = this.geometry.byPlace.get('0,0');
      this.finger = false;
      this.point(this.pointed === null ? start : this.geometry.step(this.pointed, event.key));
    } else if ((event.key === 'Enter' || event.key === ' ') && this.pointed !== null) {
      this.choose(this.pointed);
    } else if (event.key === 'Escape') {
      this.svg.blur();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // A cell in words: for the line below the board and for screen readers.
  describe(number) {
    const { position } = this, cell = this.geometry.cells[number];
    const colours = { B: 'Black', W: 'White' };
    const stone = position.stones[number], control = position.control?.[number] ?? '.';
    const parts = [stone === '.' ? 'empty' : `${colours[stone].toLowerCase()} stone`];
    const sight = position.sight?.[number];
    if (sight) {
      const black = sight.seen.filter((at) => position.stones[at] === 'B').length;
      parts.push(`sees ${black} black and ${sight.seen.length - black} white, ${sight.needed} of a colour control it`);
      if (control !== '.') parts.push(`${colours[control]} controls it`);
    }
    if (this.candidates.has(number)) parts.push(this.candidates.get(number));
    return `${cell.name}: ${parts.join('; ')}`;
  }

  // What a click would do there, or why nothing.
  explain(number) {
    const action = this.legal.get(number);
    if (!action) return (this.position.forbidden[number] ?? 'The game is over').replace(/^[a-z]\d+: /, '');
    return { place: 'place a stone', flip: 'flip this stone', remove: 'remove this stone', other: 'play here' }[action.effect];
  }
}
