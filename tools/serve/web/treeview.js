// The variation tree: a column a turn, a row a variation, each turn a dot of its colour.

import { lossOf } from './judge.js';
import { element, byId, html, refill } from './svg.js';

const STEP = 24, MARGIN = 14;

// A row for every node: the first child stays in its parent's row, each other one opens the next free row.
function layout(tree, nodes) {
  const places = new Map([[tree.root, 0]]);
  let rows = 1;
  for (const node of nodes) {
    if (!node.parent) continue;
    places.set(node, node.parent.children[0] === node ? places.get(node.parent) : rows++);
  }
  return { places, rows };
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

const siblingsOf = (node) => (node.parent?.children ?? []).filter((other) => other !== node);

export class TreeView {
  constructor(session) {
    this.session = session;
    this.box = byId('tree');
    this.nodes = []; // as drawn
    this.key = '';
    this.node = session.tree.current; // whose comment is shown
    this.writing = false; // somebody writes it: a move of the computer waits for the end
    const comment = byId('comment');
    comment.addEventListener('input', () => {
      this.node.comment = comment.value;
      this.writing = comment.matches(':focus');
    });
    comment.addEventListener('blur', () => { this.writing = false; this.showComment(); });
    session.addEventListener('position', ({ detail }) => { this.writing &&= detail === 'acted'; });
  }

  showComment() {
    if (this.writing) return;
    this.node = this.session.tree.current;
    byId('comment').value = this.node.comment;
  }

  // Draws the tree where something of it has changed: analysis tells of news several times a second.
  draw() {
    const { tree, settings } = this.session, nodes = tree.all(), movers = moversOf(nodes, settings.initialPlayer);
    const dots = nodes.map((node) => this.dotOf(node, movers.get(node)));
    const key = JSON.stringify([dots, nodes.indexOf(tree.current), tree.current.comment]);
    if (key === this.key && nodes.length === this.nodes.length && nodes.every((node, i) => node === this.nodes[i])) return;
    Object.assign(this, { key, nodes });
    this.build(tree, nodes, dots);
    const next = this.choices('Next', tree.current.children);
    refill(byId('variations'), [...next, ...this.choices('Instead', siblingsOf(tree.current))]);
    this.showComment();
  }

  build(tree, nodes, dots) {
    const { places, rows } = layout(tree, nodes), columns = Math.max(...nodes.map((node) => node.depth)) + 1;
    const x = (node) => MARGIN + STEP * node.depth, y = (node) => MARGIN + STEP * places.get(node);
    const svg = element('svg', { width: 2 * MARGIN + STEP * (columns - 1), height: 2 * MARGIN + STEP * (rows - 1), role: 'group', 'aria-label': 'Variations' });
    for (const node of nodes)
      if (node.parent) svg.append(element('path', { d: `M${x(node.parent)},${y(node.parent)}V${y(node)}H${x(node)}`, class: 'branch' }));
    nodes.forEach((node, i) => svg.append(this.dot(node, dots[i], x(node), y(node))));
    this.box.replaceChildren(svg);
    requestAnimationFrame(() => this.scrollTo(x(tree.current), y(tree.current))); // it needs the page's layout, which is made there
  }

  scrollTo(at, line) {
    const { box } = this;
    if (at < box.scrollLeft + 40 || at > box.scrollLeft + box.clientWidth - 40) box.scrollLeft = at - box.clientWidth / 2;
    if (line < box.scrollTop || line > box.scrollTop + box.clientHeight - 20) box.scrollTop = line - box.clientHeight / 2;
  }

  // Turns by their names, to go to: a line of buttons.
  choices(name, nodes) {
    return nodes.length ? [html('p', { class: 'row', role: 'group', 'aria-label': name }, html('small', {}, name), ...nodes.map((node) =>
      html('button', { class: 'small', onclick: () => this.session.goTo(node) }, `${node.depth}. ${node.turn}`)))] : [];
  }

  // What the dot of a node says.
  dotOf(node, mover) {
    const loss = lossOf(node) ?? 0;
    return {
      mover, mistake: loss >= 0.08, noted: Boolean(node.comment),
      name: node.parent ? `${node.depth}. ${node.turn}${loss >= 0.005 ? `, lost ${(100 * loss).toFixed(0)}%` : ''}` : 'start',
    };
  }

  dot(node, { mover, mistake, noted, name }, x, y) {
    const { session } = this, current = node === session.tree.current;
    const group = element('g', { class: `turn ${current ? 'current' : ''}`, tabindex: -1, role: 'button', 'aria-label': name },
      element('circle', { cx: x, cy: y, r: node.parent ? 8 : 5, class: node.parent ? `turn-${mover}` : 'turn-root' }),
      element('circle', { cx: x, cy: y, r: STEP / 2, class: 'target' }), element('title', {}, name));
    if (mistake) group.append(element('circle', { cx: x + 6, cy: y - 6, r: 3.5, class: 'graph-mistake' }));
    if (noted) group.append(element('rect', { x: x - 9, y: y - 10, width: 5, height: 5, class: 'noted' }));
    group.addEventListener('click', () => session.goTo(node));
    return group;
  }
}
