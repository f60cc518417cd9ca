// Chance and lead over the turns of the game: Black's chance as an area, the lead as a line; a click goes there. In a
// variation the mark stays where it leaves the game. chart.js is the same, enlarged.

import { hasSwap, lossOf } from './judge.js';
import { percent, lead } from './analysis.js';
import { element, byId, html } from './svg.js';

const WIDTH = 320, HEIGHT = 110;
export const BAD = 0.08; // a loss that gets a dot
const TURN_MARKS = 6; // at most, between start and end

// "Black 61%, B+2.5"
const found = ({ winrate, scoreLead }) => [`Black ${percent(winrate)}`, lead(scoreLead)].filter(Boolean).join(', ');

export const turnName = ({ depth, turn }) => (depth ? `${depth}. ${turn}` : 'Start');

// "12. d4: Black 61%, B+2.5, lost 9%"
export function textOf(node) {
  const { analysis } = node, loss = lossOf(node);
  return `${turnName(node)}: ${analysis ? `${found(analysis)}${loss ? `, lost ${(100 * loss).toFixed(0)}%` : ''}` : 'no analysis yet'}`;
}

// What there is to draw of a line: the nodes whose chance is known, the greatest lead.
export function knownOf(line) {
  const known = line.map((node, i) => ({ node, i })).filter(({ node }) => node.analysis);
  const leads = known.map(({ node }) => node.analysis.scoreLead);
  return { known, most: Math.max(4, ...leads.map((points) => Math.abs(points ?? 0))), hasLead: leads.some((points) => points !== null) };
}

// The numbers that get a mark on a scale: 0 and at most so many multiples of 1, 2, 5, 10, 20, ...
export function scaleTo(last, marks = TURN_MARKS) {
  let step = 1;
  for (let i = 0; last / step > marks; i++) step *= i % 3 === 1 ? 2.5 : 2;
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
}

// Numbers beside the graph, from the top down.
const putScale = (id, texts) => byId(id).replaceChildren(...texts.map((text) => html('span', {}, text)));

export class Graph {
  constructor(session) {
    this.session = session;
    this.svg = byId('graph');
    this.svg.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    this.svg.addEventListener('click', (event) => this.clicked(event));
    this.pointed = null; // the node under the pointer
    this.svg.addEventListener('pointermove', (event) => this.point(this.nodeAt(event)));
    this.svg.addEventListener('pointerleave', () => this.point(null));
    byId('next-mistake').addEventListener('click', () => this.session.goTo(this.mistakes.next));
    byId('last-mistake').addEventListener('click', () => this.session.goTo(this.mistakes.last));
  }

  // The turns with a dot next to the one on the board: {next, last}, undefined where there is none.
  get mistakes() {
    const { tree } = this.session, at = (tree.branch ?? tree.current).depth, bad = tree.game.filter((node) => lossOf(node) >= BAD);
    const here = tree.branch ? at : at - 1; // a variation begins behind its branch
    return { next: bad.find(({ depth }) => depth > at), last: bad.findLast(({ depth }) => depth <= here) };
  }

  nodeAt(event) {
    const box = this.svg.getBoundingClientRect(), line = this.session.tree.game;
    const at = Math.round((event.clientX - box.left) / box.width * (line.length - 1));
    return line[Math.min(Math.max(at, 0), line.length - 1)];
  }

  clicked(event) {
    this.session.goTo(this.nodeAt(event));
  }

  point(node) {
    this.pointed = node;
    this.drawText();
  }

  // What is known of the turn that is pointed at, or of the one on the board.
  drawText() {
    const { tree } = this.session;
    byId('graph-text').textContent = textOf(tree.game.includes(this.pointed) ? this.pointed : tree.current);
  }

  drawTurns(last) {
    byId('graph-turns').replaceChildren(...scaleTo(last).map((turn) => {
      const mark = html('span', {}, String(turn));
      mark.style.left = `${100 * turn / Math.max(1, last)}%`;
      return mark;
    }));
  }

  draw() {
    const { tree } = this.session, line = tree.game;
    const step = WIDTH / Math.max(1, line.length - 1), x = (i) => (i * step).toFixed(1);
    const { known, most, hasLead } = knownOf(line);
    const chance = (node) => (HEIGHT * (1 - node.analysis.winrate)).toFixed(1);
    const points = (node) => (HEIGHT / 2 * (1 - (node.analysis.scoreLead ?? 0) / most)).toFixed(1);
    const parts = [];
    if (known.length) {
      const from = x(known[0].i), to = x(known.at(-1).i), top = known.map(({ node, i }) => `${x(i)},${chance(node)}`).join(' ');
      parts.push(
        element('rect', { x: from, width: (to - from).toFixed(1), height: HEIGHT, class: 'graph-white' }),
        element('polygon', { points: `${from},${HEIGHT} ${top} ${to},${HEIGHT}`, class: 'graph-black' }),
        element('polyline', { points: top, class: 'graph-chance' }));
      if (known.length === 1) parts.push(element('circle', { cx: from, cy: chance(known[0].node), r: 3, class: 'graph-lone' }));
      if (hasLead)
        parts.push(element('polyline', { points: known.map(({ node, i }) => `${x(i)},${points(node)}`).join(' '), class: 'graph-lead' }));
    }
    parts.push(element('line', { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: 'graph-middle' }));
    for (const turn of scaleTo(line.length - 1)) parts.push(element('line', { x1: x(turn), x2: x(turn), y1: HEIGHT - 6, y2: HEIGHT, class: 'graph-turn' }));
    for (const { node, i } of known) {
      const loss = lossOf(node);
      if (loss >= BAD) parts.push(element('circle', { cx: x(i), cy: chance(node), r: 3, class: 'graph-mistake' }));
    }
    const at = line.indexOf(tree.branch ?? tree.current);
    parts.push(element('line', { x1: x(at), x2: x(at), y1: 0, y2: HEIGHT, class: `graph-now ${tree.branch ? 'left' : ''}` }));
    this.svg.replaceChildren(...parts);
    putScale('graph-chances', ['100%', '50%', '0%']);
    putScale('graph-leads', hasLead ? [`B+${most.toFixed(0)}`, '0', `W+${most.toFixed(0)}`] : []);
    this.drawTurns(line.length - 1);
    this.drawText();
    byId('enlarge').disabled = !known.length;
    for (const [name, node] of Object.entries(this.mistakes)) byId(`${name}-mistake`).disabled = !node;
    byId('graph-legend').hidden = known.length < 2;
    byId('graph-legend').textContent = [
      "Dark: Black's chance.", hasLead && `Dashed: Black's lead, ±${most.toFixed(0)} points.`,
      `Dots: ${100 * BAD}% or more lost.`,
      hasSwap(line) && 'With the swap the players change colours.',
    ].filter(Boolean).join(' ');
  }
}
