// The clocks: main time for the game, then a time for each turn (byo-yomi of one move). Who runs out of it loses.
//
// A node of the tree has the clocks as they were when it was left or reached, by player: {B: {left, late}, W: ...}, in
// seconds; `late` is true in byo-yomi. So going back shows the time of that turn. The clock of the player to move runs
// at the end of a line. It stands still while somebody looks at an earlier turn, and while the page is closed.

import { readNumber } from './dialogs.js';
import { GameTree } from './tree.js';
import { byId } from './svg.js';

const TICK = 100; // milliseconds
const SHORT = 20; // seconds from which on tenths are shown
const MOST = { minutes: 600, byoyomi: 3600 };

// The clock of a form with the fields `minutes` and `byoyomi`: {main, byoyomi} in seconds, or null for none.
export function readClock(data) {
  const main = 60 * readNumber(data.get('minutes'), 'Minutes of the clock', 0, MOST.minutes);
  const byoyomi = readNumber(data.get('byoyomi'), 'Seconds a turn of the clock', 0, MOST.byoyomi);
  return main + byoyomi > 0 ? { main, byoyomi } : null;
}

function text(seconds) {
  const left = Math.max(0, seconds);
  if (left < SHORT) return left.toFixed(1);
  const whole = Math.ceil(left), minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}

export class Clock {
  constructor(session) {
    this.session = session;
    this.node = null; // whose clocks run or stand
    this.mover = 'B'; // the player to move there
    this.live = false; // whether his clock runs
    this.since = 0;
    session.addEventListener('game', () => { this.node = null; });
    session.addEventListener('position', () => this.moved());
    session.addEventListener('clock', () => { this.live = false; this.moved(); });
    session.timeLeft = () => this.forEngine();
    setInterval(() => this.tick(), TICK);
  }

  get running() {
    const { session, node } = this;
    return Boolean(session.clock && node && node === session.tree.current && !session.over && !node.ended && !node.favourite);
  }

  // What the player to move has taken since the node was reached, or kept.
  get seconds() {
    return (performance.now() - this.since) / 1000;
  }

  get player() {
    return this.session.playerOf(this.session.position.toMove);
  }

  // The clocks that a node has, or the last ones before it.
  static at(node, { main, byoyomi }) {
    const known = GameTree.path(node).reverse().find((above) => above.clocks);
    const start = main > 0 ? { left: main, late: false } : { left: byoyomi, late: true };
    return known?.clocks ?? { B: start, W: start };
  }

  // After so many seconds of a player.
  spend(clocks, player, seconds) {
    const { byoyomi } = this.session.clock, { left, late } = clocks[player];
    const enters = !late && byoyomi > 0 && left < seconds;
    return { ...clocks, [player]: { left: left - seconds + (enters ? byoyomi : 0), late: late || enters } };
  }

  // When his turn is made, a player in byo-yomi has the whole of it again.
  static renew(clocks, player, { byoyomi }) {
    return { ...clocks, [player]: clocks[player].late ? { left: byoyomi, late: true } : clocks[player] };
  }

  // The clocks at this moment.
  now() {
    const clocks = Clock.at(this.node, this.session.clock);
    if (this.node.ended?.how === 'time') {
      const loser = this.session.playerOf({ B: 'W', W: 'B' }[this.node.ended.winner]);
      return { ...clocks, [loser]: { ...clocks[loser], left: 0 } };
    }
    return this.running ? this.spend(clocks, this.player, this.seconds) : clocks;
  }

  // Another position is on the board: the old node keeps the time that was spent there.
  moved() {
    const { session, node } = this, { current } = session.tree;
    if (session.clock && node && node !== current) {
      const left = this.live ? this.spend(Clock.at(node, session.clock), this.mover, this.seconds) : Clock.at(node, session.clock);
      node.clocks = left;
      if (current.parent === node && !current.clocks) current.clocks = Clock.renew(left, this.mover, session.clock);
    }
    if (node !== current || !this.live) this.since = performance.now();
    this.node = current;
    this.mover = this.player;
    this.live = this.running;
    this.left = session.clock ? this.now() : null;
    this.draw();
  }

  tick() {
    if (!this.running) return;
    this.left = this.now();
    this.draw();
    const { player } = this, winner = { B: 'W', W: 'B' }[this.session.position.toMove];
    if (this.left[player].left <= 0) this.session.end({ winner, how: 'time' }); // the node keeps what he had: for Undo
  }

  // The node gets the time that was spent on it, as when the page is closed.
  keep() {
    if (!this.session.clock || !this.node || this.node.ended) return;
    this.node.clocks = this.left = this.now();
    this.since = performance.now();
  }

  // What the engine is told of the computer's clock.
  forEngine() {
    if (!this.session.clock || !this.node) return null;
    const { left, late } = this.now()[this.player], { byoyomi } = this.session.clock;
    return { timeLeft: Math.max(0, left), movesLeft: late ? 1 : 0, ...(byoyomi > 0 ? { periodTime: byoyomi, periodMoves: 1 } : {}) };
  }

  draw() {
    for (const colour of ['B', 'W']) {
      const line = byId(`player-${colour}`).querySelector('.clock'), clock = this.left?.[this.session.playerOf(colour)];
      line.hidden = !clock;
      if (!clock) continue;
      line.textContent = text(clock.left);
      line.title = clock.late ? 'left for this turn' : 'left of the main time';
      line.classList.toggle('late', clock.late);
    }
  }
}
