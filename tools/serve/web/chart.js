// The graph of the game, enlarged: Black's chance and below it the lead, with their scales, and the turns that lost much
// with their numbers. The pointer, a finger or the arrow keys choose a turn; a click, Enter or the button goes there.

import { onSubmit, open } from './dialogs.js';
import { BAD, knownOf, scaleTo, textOf, turnName } from './graph.js';
import { lossOf } from './judge.js';
import { byId, element } from './svg.js';

const LEFT = 46, RIGHT = 14, TITLE = 24, BOTTOM = 36; // pixels around the plots, which have a title each
const CHANCE_SHARE = 0.6; // of the height, where there are leads
const TURN_WIDTH = 56; // pixels, at least, from one marked turn to the next
const NUMBER = { width: 22, height: 14 }; // of a mistake, in pixels
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowDown: -1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

const text = (x, y, words, anchor = 'middle', kind = '') => element('text', { x, y, 'text-anchor': anchor, class: kind }, words);
const line = (x1, x2, y1, y2) => element('line', { x1, x2, y1, y2, class: 'graph-middle' });
const curve = (points, kind) => element('polyline', { points: points.join(' '), class: kind });
const area = (points, base, kind) => curve([[points[0][0], base], ...points, [points.at(-1)[0], base]], kind);

// A line through all plots, to be put at a turn.
const mark = (plots, kind) => element('path', { d: plots.map(({ top, bottom }) => `M0,${top}V${bottom}`).join(''), class: `graph-now ${kind}` });

// The name of a plot, and a line across it for each mark: [{y, name}].
const frame = ({ left, right, top }, title, marks) => [text(left, top - 8, title, 'start'),
  ...marks.flatMap(({ y, name }) => [line(left, right, y, y), text(left - 6, y + 4, name, 'end')])];

const chanceAt = ({ top, bottom }, { node }) => bottom - (bottom - top) * node.analysis.winrate;

// In these three `at` are the turns whose chance is known: [{node, turn, x}].
function chances(at, plot) {
  const { top, bottom } = plot, points = at.map((place) => [place.x, chanceAt(plot, place)]);
  const marks = [0, 25, 50, 75, 100].map((chance) => ({ y: bottom - (bottom - top) * chance / 100, name: `${chance}%` }));
  const known = () => [element('rect', { x: at[0].x, y: top, width: at.at(-1).x - at[0].x, height: bottom - top, class: 'graph-white' }),
    area(points, bottom, 'graph-black'), curve(points, 'graph-chance'),
    ...(at.length === 1 ? [element('circle', { cx: points[0][0], cy: points[0][1], r: 4.5, class: 'graph-lone' })] : [])];
  return [...(at.length ? known() : []), ...frame(plot, "Black's chance", marks)];
}

function leads(at, plot, most) {
  const { top, bottom } = plot, zero = (top + bottom) / 2, y = (lead) => zero - (bottom - top) / 2 * lead / most;
  const points = at.map(({ node, x }) => [x, y(node.analysis.scoreLead ?? 0)]);
  const marks = scaleTo(most, 2).flatMap((lead) => (lead ? [{ y: y(lead), name: `B+${lead}` }, { y: y(-lead), name: `W+${lead}` }] : [{ y: zero, name: '0' }]));
  return [area(points, zero, 'chart-area'), ...frame(plot, 'Lead in points', marks), curve(points, 'chart-lead')];
}

// Dots with the numbers of their turns, the greatest losses first: a number that finds no room is left out.
function mistakes(at, plot) {
  const dots = at.map((place) => ({ ...place, y: chanceAt(plot, place), loss: lossOf(place.node) })).filter(({ loss }) => loss >= BAD), numbers = [];
  const isFree = (x, y) => y - NUMBER.height > plot.top && y < plot.bottom &&
    numbers.every((other) => Math.abs(other.x - x) >= NUMBER.width || Math.abs(other.y - y) >= NUMBER.height);
  for (const { x, y, turn } of dots.sort((a, b) => b.loss - a.loss)) {
    const place = [y - 8, y + 18].find((height) => isFree(x, height));
    if (place !== undefined) numbers.push({ x, y: place, turn });
  }
  return [...dots.map(({ x, y }) => element('circle', { cx: x, cy: y, r: 4.5, class: 'graph-mistake' })),
    ...numbers.map(({ x, y, turn }) => text(x, y, String(turn), 'middle', 'chart-number'))];
}

export class Chart {
  // `goTo` is called with the node that is chosen.
  constructor(session, goTo) {
    const svg = byId('chart'), go = byId('chart-go');
    Object.assign(this, { session, svg, node: null, dialog: byId('chart-dialog') });
    byId('enlarge').addEventListener('click', () => this.open());
    onSubmit(this.dialog, async () => goTo(this.chosen));
    new ResizeObserver(() => this.draw()).observe(svg);
    for (const kind of ['pointerdown', 'pointermove']) svg.addEventListener(kind, (event) => this.choose(this.turnAt(event)));
    svg.addEventListener('click', ({ pointerType }) => { if (pointerType !== 'touch') go.click(); }); // a finger hides what it hits
    svg.addEventListener('keydown', (event) => {
      if (event.key in STEPS) this.choose(this.chosen.depth + STEPS[event.key]);
      else if (event.key === 'Enter') go.click();
      else return;
      event.preventDefault();
    });
  }

  open() {
    if (document.body.classList.contains('learning')) return; // it would tell
    this.node = null;
    open(this.dialog);
    this.svg.focus();
    this.draw();
  }

  get nodes() {
    return this.session.tree.game;
  }

  // The node that is chosen; before that the one on the board, or where the variation on the board leaves the game.
  get chosen() {
    const { tree } = this.session;
    return this.nodes.includes(this.node) ? this.node : tree.branch ?? tree.current;
  }

  choose(turn) {
    const { nodes } = this;
    this.node = nodes[Math.min(Math.max(turn, 0), nodes.length - 1)];
    this.drawChosen();
  }

  turnAt({ clientX }) {
    const { left, width } = this.svg.getBoundingClientRect();
    return Math.round((clientX - left - LEFT) / (width - LEFT - RIGHT) * (this.nodes.length - 1));
  }

  draw() {
    const { svg, nodes, session: { tree } } = this, { clientWidth: width, clientHeight: height } = svg;
    if (!this.dialog.open || !width) return;
    const { known, most, hasLead } = knownOf(nodes), room = height - BOTTOM - (hasLead ? 2 : 1) * TITLE, left = LEFT, right = width - RIGHT;
    const upper = { left, right, top: TITLE, bottom: TITLE + (hasLead ? CHANCE_SHARE : 1) * room };
    const lower = { left, right, top: upper.bottom + TITLE, bottom: height - BOTTOM }, plots = hasLead ? [upper, lower] : [upper];
    this.x = (turn) => left + (right - left) * turn / Math.max(1, nodes.length - 1);
    this.mark = mark(plots, 'chart-chosen');
    const now = mark(plots, tree.branch ? 'left' : ''), at = known.map(({ node, i }) => ({ node, turn: i, x: this.x(i) }));
    now.setAttribute('transform', `translate(${this.x((tree.branch ?? tree.current).depth)})`);
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.replaceChildren(...chances(at, upper), ...(hasLead ? leads(at, lower, most) : []), ...this.turns(plots.at(-1)), now, this.mark, ...mistakes(at, upper));
    this.drawChosen();
  }

  // The scale of turns.
  turns({ left, right, bottom }) {
    const marks = scaleTo(this.nodes.length - 1, Math.max(1, Math.floor((right - left) / TURN_WIDTH)));
    return [text((left + right) / 2, bottom + 32, 'Turn'), ...marks.flatMap((turn) =>
      [line(this.x(turn), this.x(turn), bottom, bottom + 5), text(this.x(turn), bottom + 17, String(turn))])];
  }

  drawChosen() {
    const { svg, chosen } = this, words = textOf(chosen);
    this.mark.setAttribute('transform', `translate(${this.x(chosen.depth)})`);
    byId('chart-text').textContent = words;
    byId('chart-go').textContent = `Go to ${chosen.depth ? turnName(chosen) : 'the start'}`;
    for (const [name, value] of Object.entries({ valuemin: 0, valuemax: this.nodes.length - 1, valuenow: chosen.depth, valuetext: words })) svg.setAttribute(`aria-${name}`, value);
  }
}
