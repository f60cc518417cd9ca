// The game tree: turns with their variations. A node knows what was found out about it (position, analysis).

export class Node {
  constructor(parent, turn) {
    this.parent = parent;
    this.turn = turn; // null at the root
    this.children = [];
    this.favourite = null; // the child that "forward" leads to
    this.comment = '';
    this.depth = parent ? parent.depth + 1 : 0;
    this.mover = null; // colour that made the turn
    this.analysis = null; // rootInfo and moves of the best search so far
    this.checked = null; // what its turn cost, by a review (judge.js)
    this.clocks = null; // see clock.js
    this.ended = null; // {winner, how}: somebody resigned here, or ran out of time
    this.result = ''; // by the rules, where they end the game here, or what a file says: "B+7"
  }
}

// Who made the turn of a node, where `first` made the first one: players take turns, even where a swap changes colours.
export const playerOf = (node, first) => ((node.depth % 2 === 1) === (first !== 'W') ? 'B' : 'W');

const SGF_ENDINGS = { resigned: 'R', time: 'T' }, ENDINGS = { resigned: 'resigned', time: 'ran out of time' };

// An ending as a node has it; null where the words are none.
export const endingOf = (winner, how) => (['B', 'W'].includes(winner) && Object.hasOwn(ENDINGS, how) ? { winner, how } : null);

// "White resigned"
export const endedText = ({ winner, how }) => `${winner === 'B' ? 'White' : 'Black'} ${ENDINGS[how]}`;

// Whether a game ends there.
const hasResult = ({ ended, result, children }) => Boolean(ended || (result && !children.length));

// The date where the player is, as in SGF.
function today() {
  const now = new Date();
  return [now.getFullYear(), now.getMonth() + 1, now.getDate()].map((part) => String(part).padStart(2, '0')).join('-');
}

export class GameTree {
  constructor() {
    this.root = new Node(null, null);
    this.current = this.root;
    this.clock = null; // of the file that the game comes from
    this.date = today(); // when the game began; "" where a file does not say it
    this.reviewed = null; // the end of the line that a review was asked for, or of the game
    this.main = null; // the turn that somebody has put on the main line, or the end of the game
  }

  // The child with this turn, made where it is new.
  add(parent, turn, mover) {
    let node = parent.children.find((child) => child.turn === turn);
    if (!node) {
      node = new Node(parent, turn);
      parent.children.push(node);
    }
    node.mover = mover ?? node.mover;
    parent.favourite = node;
    return node;
  }

  // Removes a node with all below it; the current node moves out of it.
  remove(node) {
    if (!node.parent) return;
    for (let at = this.current; at; at = at.parent)
      if (at === node) this.current = node.parent;
    node.parent.children = node.parent.children.filter((child) => child !== node);
    if (node.parent.favourite === node) node.parent.favourite = node.parent.children[0] ?? null;
  }

  // Puts a node back that was removed, at its place among its siblings. Where its turn was played again meanwhile, both
  // become one.
  restore(node, place) {
    const twin = node.parent.children.find(({ turn }) => turn === node.turn);
    if (twin) this.remove(twin);
    node.parent.children.splice(place, 0, node);
    if (twin) this.merge(node, twin);
    this.select(node);
  }

  // A node takes over what another one of the same turn has.
  merge(node, twin) {
    for (const key of ['main', 'reviewed']) if (this[key] === twin) this[key] = node;
    node.comment = [...new Set([node.comment, twin.comment])].filter(Boolean).join('\n');
    node.result ||= twin.result;
    for (const key of ['mover', 'analysis', 'checked', 'clocks', 'ended']) node[key] ??= twin[key];
    for (const child of twin.children) {
      const same = node.children.find(({ turn }) => turn === child.turn);
      if (same) this.merge(same, child);
      else node.children.push(Object.assign(child, { parent: node }));
    }
    node.favourite ??= node.children[0] ?? null;
  }

  // Whether neither the node nor a turn that leads to it was removed.
  static isThere(node) {
    return Boolean(node) && GameTree.path(node).every((at) => !at.parent || at.parent.children.includes(at));
  }

  // Whether the node and all turns that lead to it come before their siblings.
  static isFirst(node) {
    return GameTree.path(node).every((at) => !at.parent || at.parent.children[0] === at);
  }

  // Gives a node another place among its siblings.
  static move(node, place) {
    const { children } = node.parent;
    children.splice(children.indexOf(node), 1);
    children.splice(place, 0, node);
  }

  // Makes the node and all turns that lead to it the first among their siblings. Graph and review follow, where they were
  // about a line beside it. Returns what undoes all that.
  makeMain(node) {
    const { main, reviewed } = this, places = GameTree.path(node).slice(1).map((at) => [at, at.parent.children.indexOf(at)]);
    if (!this.game.includes(node)) this.reviewed = GameTree.line(node).at(-1);
    this.main = node;
    for (const [at] of places) GameTree.move(at, 0);
    return () => {
      Object.assign(this, { main, reviewed });
      for (const [at, place] of places) if (GameTree.isThere(at)) GameTree.move(at, place);
    };
  }

  // The line to a node is the game from now on, and other turns are variations of it, unless another line is already.
  claim(node) {
    const path = GameTree.path(node), isFree = (end) => !GameTree.isThere(end) || (path.includes(end) && !end.ended);
    for (const key of ['main', 'reviewed']) if (isFree(this[key])) this[key] = node;
  }

  // The line that has ended is the game, unless another line is. Returns what undoes that.
  settle() {
    const { main, reviewed } = this;
    if (this.outcome) this.claim(this.final);
    return () => Object.assign(this, { main, reviewed });
  }

  // The game does not end at this node after all.
  unclaim(node) {
    for (const key of ['main', 'reviewed']) if (this[key] === node) this[key] = null;
  }

  // From the root to a node, the root first.
  static path(node) {
    const nodes = [];
    for (let at = node; at; at = at.parent) nodes.unshift(at);
    return nodes;
  }

  static turns(node) {
    return GameTree.path(node).slice(1).map((at) => at.turn);
  }

  // The line through a node: from the root to it, and on along the favourites to where the game ends. What follows an end
  // was taken back before, or somebody tries it.
  static line(node) {
    const nodes = GameTree.path(node);
    for (let at = node; at.favourite && !at.ended;) nodes.push(at = at.favourite);
    return nodes;
  }

  // The line that graph and review are about: the one that was reviewed, or that was opened or played to its end, until it
  // is removed; else the one on the board.
  get game() {
    return GameTree.line(GameTree.isThere(this.reviewed) ? this.reviewed : this.current);
  }

  // Where the current node leaves that line; null where it is on it.
  get branch() {
    const { game } = this;
    return game.includes(this.current) ? null : GameTree.path(this.current).findLast((node) => game.includes(node));
  }

  // Forward leads to the node from now on, too. Returns what undoes that.
  select(node) {
    const { current } = this, before = GameTree.path(node).map((at) => [at, at.favourite]);
    for (let at = node; at.parent; at = at.parent) at.parent.favourite = at;
    this.current = node;
    return () => {
      this.current = current;
      for (const [at, favourite] of before) at.favourite = favourite;
    };
  }

  // The node after these turns, which are all there.
  find(turns) {
    return turns.reduce((node, turn) => node.children.find((child) => child.turn === turn), this.root);
  }

  // Of the line that is played; it goes through the turn that somebody has put on the main line.
  get end() {
    return GameTree.line(GameTree.isThere(this.main) ? this.main : this.root).at(-1);
  }

  // The result of that line, as far as it is known, as in SGF: "B+R", "W+0.5"; else "".
  get result() {
    const { ended, result } = this.end;
    return ended ? `${ended.winner}+${SGF_ENDINGS[ended.how]}` : result;
  }

  // The first variation ended in this way, at `node` where turns follow.
  conclude(text, node = this.end) {
    const [, winner, letter] = text.match(/^([BW])\+([RT])/) ?? [];
    const how = Object.keys(SGF_ENDINGS).find((key) => SGF_ENDINGS[key] === letter);
    if (winner) node.ended = { winner, how };
    else this.end.result = text;
  }

  // The end of the line that counts as the game: the one that is played, or the first that has a result.
  get final() {
    return [this.end, ...this.all()].find(hasResult) ?? this.end;
  }

  // Whether the game is over, and the node on the board is not its end: what is played there is none of the game.
  get over() {
    const { final } = this;
    return final !== this.current && hasResult(final);
  }

  // Its result for people: "White resigned", "W+0.5".
  get outcome() {
    const { ended, result } = this.final;
    return ended ? endedText(ended) : result;
  }

  // All nodes, a parent before its children, the first variation first; or the line that is played. Without recursion.
  all(playedFirst = false) {
    const nodes = [], stack = [this.root], played = new Set(playedFirst ? GameTree.path(this.end) : []);
    while (stack.length) {
      const node = stack.pop();
      nodes.push(node);
      stack.push(...[...node.children].reverse().sort((a, b) => played.has(a) - played.has(b)));
    }
    return nodes;
  }

  // What was found about a node, as the server writes and reads it.
  static findings({ analysis }) {
    return analysis ? { winrate: analysis.winrate, ...(analysis.scoreLead === null ? {} : { scoreLead: analysis.scoreLead }) } : {};
  }

  // As the server writes and reads trees: the i-th node (from 1) is below node `parent`. `more` adds to an item.
  toList(playedFirst = false, more = () => ({})) {
    const nodes = this.all(playedFirst), number = new Map(nodes.map((node, i) => [node, i]));
    return nodes.slice(1).map((node) => ({
      parent: number.get(node.parent), turn: node.turn, ...(node.comment ? { comment: node.comment } : {}), ...GameTree.findings(node), ...more(node),
    }));
  }

  // The analysis of a game that was opened has no candidates.
  static found({ winrate, scoreLead, toMove }) {
    if (winrate === undefined || !toMove) return null;
    return { winrate, scoreLead: scoreLead ?? null, currentPlayer: toMove, sims: 0, proven: false, moves: [], control: null };
  }

  // `take` is told of each node and its item. Equal turns after the same one are one node.
  static fromList(list, comment = '', root = {}, take = () => {}) {
    const tree = new GameTree(), nodes = [tree.root];
    tree.root.comment = comment;
    tree.root.analysis = GameTree.found(root);
    take(tree.root, root);
    for (const item of list) {
      const parent = nodes[item.parent], favourite = parent.favourite;
      const node = tree.add(parent, item.turn);
      node.comment ||= item.comment || '';
      node.analysis ??= GameTree.found(item);
      parent.favourite = favourite ?? node; // the first variation
      nodes.push(node);
      take(node, item);
    }
    return tree;
  }
}
