// The variation tree: a column a turn, a row a variation, each turn a dot of its colour. A file may have thousands of turns:
// only those in view are drawn, and some around them.

import { lossOf } from './judge.js';
import { byId, change, element, html, refill } from './svg.js';

const STEP = 24, MARGIN = 14, AROUND = 4 * STEP;

// A row for every node: the first child stays in its parent's row, each other one opens the next free row.
function rowsOf([root, ...nodes]) {
  const rows = new Map([[root, 0]]);
  let next = 1;
  for (const node of nodes) rows.set(node, node.parent.children[0] === node ? rows.get(node.parent) : next++);
  return rows;
}

// The colour that made each turn, by node. Where nobody has said, `first` begins, and colours alternate; the one that has
// swapped moves again.
function moversOf([root, ...nodes], first) {
  const movers = new Map([[root, first === 'W' ? 'B' : 'W']]);
  for (const node of nodes) {
    const { parent } = node, before = movers.get(parent), next = parent.turn === 'swap' ? before : { B: 'W', W: 'B' }[before];
    movers.set(node, node.mover ?? parent.analysis?.currentPlayer ?? next);
  }
  return movers;
}

function dotElement({ x, y, current, root, mover, mistake, noted, name }, number) {
  const group = element('g', { class: `turn ${current ? 'current' : ''}`, tabindex: -1, role: 'button', 'aria-label': name, 'data-number': number },
    element('circle', { cx: x, cy: y, r: root ? 5 : 8, class: root ? 'turn-root' : `turn-${mover}` }),
    element('circle', { cx: x, cy: y, r: STEP / 2, class: 'target' }), element('title', {}, name));
  if (mistake) group.append(element('circle', { cx: x + 6, cy: y - 6, r: 3.5, class: 'graph-mistake' }));
  if (noted) group.append(element('rect', { x: x - 9, y: y - 10, width: 5, height: 5, class: 'noted' }));
  return group;
}

const siblingsOf = (node) => (node.parent?.children ?? []).filter((other) => other !== node);
const isSame = (some, others) => some.length === others.length && some.every((item, i) => item === others[i]);

export class TreeView {
  constructor(session) {
    this.session = session;
    this.box = byId('tree');
    this.svg = element('svg', { role: 'group', 'aria-label': 'Variations' });
    this.box.append(this.svg);
    this.nodes = []; // all of the tree, a parent before its children
    this.view = { left: 0, top: 0, width: 0, height: 0 }; // what of the tree is in view; to ask for it costs a layout
    this.followed = []; // the current node, and where it is drawn
    this.shown = []; // the nodes that are drawn, by the numbers of their dots
    this.key = ''; // all that is to be seen of them
    this.offered = []; // as buttons
    this.node = session.tree.current; // whose comment is shown
    this.writing = false; // somebody writes it: a move of the computer waits for the end
    const comment = byId('comment');
    comment.addEventListener('input', () => {
      this.node.comment = comment.value;
      this.writing = comment.matches(':focus');
    });
    comment.addEventListener('blur', () => { this.writing = false; this.showComment(); });
    session.addEventListener('position', ({ detail }) => { this.writing &&= detail === 'acted'; });
    this.svg.addEventListener('click', ({ target }) => {
      const dot = target.closest('.turn');
      if (dot) session.goTo(this.shown[dot.dataset.number]);
    });
    this.box.addEventListener('scroll', () => { this.look(); this.fill(); });
    new ResizeObserver(() => { this.look(); this.follow(true); this.fill(); }).observe(this.box);
  }

  showComment() {
    if (this.writing) return;
    this.node = this.session.tree.current;
    byId('comment').value = this.node.comment;
  }

  // Where a node is in the picture.
  x(node) {
    return MARGIN + STEP * node.depth;
  }

  y(node) {
    return MARGIN + STEP * this.rows.get(node);
  }

  // Draws the tree as it is now.
  draw() {
    const { tree, settings } = this.session;
    this.nodes = tree.all();
    this.movers = moversOf(this.nodes, settings.initialPlayer);
    this.rows = rowsOf(this.nodes);
    change(this.svg, 'width', String(MARGIN + Math.max(...this.nodes.map((node) => this.x(node)))));
    change(this.svg, 'height', String(MARGIN + Math.max(...this.nodes.map((node) => this.y(node)))));
    this.follow();
    this.fill();
    this.offer(tree.current);
    this.showComment();
  }

  look() {
    const { scrollLeft: left, scrollTop: top, clientWidth: width, clientHeight: height } = this.box;
    this.view = { left, top, width, height };
  }

  // Brings the current turn into view where it is another one, or lies elsewhere than before.
  follow(again = false) {
    const { box, view, session: { tree: { current } } } = this;
    if (!this.nodes.length) return;
    const x = this.x(current), y = this.y(current), followed = [current, x, y];
    if (!again && isSame(followed, this.followed)) return;
    this.followed = followed;
    if (x < view.left + 40 || x > view.left + view.width - 40) view.left = Math.max(0, x - view.width / 2);
    if (y < view.top || y > view.top + view.height - 20) view.top = Math.max(0, y - view.height / 2);
    const { left, top } = view;
    requestAnimationFrame(() => { // the page's layout is made there
      box.scrollTo(left, top);
      this.look();
      this.fill();
    });
  }

  // Draws what is in view, where something of it has changed: analysis tells of news several times a second.
  fill() {
    const { nodes, view, session: { tree: { current } } } = this;
    const isNear = (from, to, start, length) => to >= start - AROUND && from <= start + length + AROUND;
    const isInView = (node, above = node) => isNear(this.x(node), this.x(node), view.left, view.width) && isNear(this.y(above), this.y(node), view.top, view.height);
    const branches = nodes.filter((node) => node.parent && isInView(node, node.parent));
    this.shown = nodes.filter((node) => isInView(node));
    const lines = branches.map((node) => `M${this.x(node.parent)},${this.y(node.parent)}V${this.y(node)}H${this.x(node)}`);
    const dots = this.shown.map((node) => ({ x: this.x(node), y: this.y(node), current: node === current, ...this.dotOf(node) }));
    const key = JSON.stringify([lines, dots]);
    if (key === this.key) return;
    this.key = key;
    this.svg.replaceChildren(...lines.map((d) => element('path', { d, class: 'branch' })), ...dots.map(dotElement));
  }

  // The turns that follow, and those in the place of the current one, as buttons.
  offer(current) {
    const offered = [current, ...current.children, ...siblingsOf(current)];
    if (isSame(offered, this.offered)) return;
    this.offered = offered;
    refill(byId('variations'), [...this.choices('Next', current.children), ...this.choices('Instead', siblingsOf(current))]);
  }

  // Turns by their names, to go to: a line of buttons.
  choices(name, nodes) {
    return nodes.length ? [html('p', { class: 'row', role: 'group', 'aria-label': name }, html('small', {}, name), ...nodes.map((node) =>
      html('button', { class: 'small', onclick: () => this.session.goTo(node) }, `${node.depth}. ${node.turn}`)))] : [];
  }

  // What the dot of a node says.
  dotOf(node) {
    const loss = lossOf(node) ?? 0;
    return {
      root: !node.parent, mover: this.movers.get(node), mistake: loss >= 0.08, noted: Boolean(node.comment),
      name: node.parent ? `${node.depth}. ${node.turn}${loss >= 0.005 ? `, lost ${(100 * loss).toFixed(0)}%` : ''}` : 'start',
    };
  }
}
