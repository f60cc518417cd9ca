// The clocks: a main time, and then byo-yomi: periods of which each is the time of a turn, and a turn that takes longer
// uses one up. Or, instead of that, an increment after each turn (Fischer). Who runs out of time loses.
//
// A clock is {main, byoyomi, periods, increment}, in seconds. A node of the tree has the clocks as they were when it was
// left or reached, by player: {B: {left, late}, W: ...}; `late` is how many periods he has left, 0 in the main time. So
// going back shows the time of that turn. The clock of the player to move runs at the end of a line. It stands still
// while somebody looks at an earlier turn, tries other turns in a game that is over, learns from mistakes or sets up a
// position, while the page is closed, or while the server is gone or looks at an action. The clock of a game that was
// opened is shown, and runs when somebody starts it: he may only want to look.

import { connection } from './api.js';
import { GameTree, playerOf } from './tree.js';
import { byId } from './svg.js';

const TICK = 100, AGAIN = 1000; // milliseconds: until the clocks are looked at again, and until an end that was refused is tried again
const SHORT = 20; // seconds from which on tenths are shown

function text(seconds) {
  const left = Math.max(0, seconds);
  if (left < SHORT) return left.toFixed(1);
  const whole = Math.ceil(left), minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, '0')}`;
}

// Whether the clock ran there, or before.
const isTimed = (node) => GameTree.path(node).some((above) => above.clocks);

// The clocks that a node has, or the last ones before it.
function clocksAt(node, { main, byoyomi, periods, increment }) {
  const known = GameTree.path(node).reverse().find((above) => above.clocks);
  const start = main === 0 && byoyomi > 0 ? { left: byoyomi, late: periods } : { left: main || increment, late: 0 };
  return known?.clocks ?? { B: start, W: start };
}

// What the clock showed to the one who made a node's turn, as the server writes it: {timeLeft, periodsLeft}.
export function timeLeft(node, first) {
  const shown = node.clocks?.[playerOf(node, first)];
  return shown ? { timeLeft: Math.max(0, Math.round(1000 * shown.left) / 1000), ...(shown.late ? { periodsLeft: Number(shown.late) } : {}) } : {};
}

// The reverse, for a node whose parents have it.
export function takeTimeLeft(node, item, clock, first) {
  if (!clock || item.timeLeft === undefined) return;
  node.clocks = { ...clocksAt(node.parent, clock), [playerOf(node, first)]: { left: item.timeLeft, late: item.periodsLeft ?? 0 } };
}

export class Clock {
  constructor(session) {
    this.session = session;
    this.node = null; // whose clocks run or stand
    this.mover = 'B'; // the player to move there
    this.live = false; // whether his clock runs
    this.since = 0;
    this.waits = new Set(); // for what the clocks stand still: the server, its answer to an action, what is no play
    this.stopped = null; // since when
    this.again = 0; // before that no end is asked for
    session.addEventListener('game', () => { this.node = null; });
    session.addEventListener('position', () => this.moved());
    session.addEventListener('clock', () => { this.live = false; this.moved(); });
    session.addEventListener('going', () => this.wait('answer', session.isActing));
    session.timeLeft = () => this.forEngine();
    connection.addEventListener('gone', () => {
      this.wait('server', true);
      this.tick();
    });
    connection.addEventListener('back', () => this.wait('server', false));
    setInterval(() => this.tick(), TICK);
  }

  // The clock that is shown: the one of this game, or that of the file or link it comes from, if turns have their times.
  get settings() {
    const { clock, tree } = this.session;
    return clock ?? (tree.clock && tree.all().some((node) => node.clocks) ? tree.clock : null);
  }

  get running() {
    const { session, node } = this;
    return Boolean(session.clock && node && node === session.tree.current && !session.over && !node.ended && !node.favourite && !session.tree.over);
  }

  // What the player to move has taken since the node was reached, or kept.
  get seconds() {
    return ((this.stopped ?? performance.now()) - this.since) / 1000;
  }

  restart() {
    this.since = performance.now();
    if (this.stopped !== null) this.stopped = this.since;
  }

  // The clocks stand still from now on, or go on where nothing else keeps them.
  wait(what, isThere) {
    if (isThere) this.waits.add(what);
    else this.waits.delete(what);
    if (this.waits.size) {
      this.stopped ??= performance.now();
    } else if (this.stopped !== null) {
      this.since += performance.now() - this.stopped;
      this.stopped = null;
    }
  }

  get player() {
    return this.session.playerOf(this.session.position.toMove);
  }

  // The clocks after a player has used these seconds.
  static spend(clocks, player, seconds, { byoyomi, periods }) {
    let { left, late } = clocks[player];
    left -= seconds;
    if (left <= 0 && !late && byoyomi > 0) [left, late] = [left + byoyomi, periods];
    for (; left <= 0 && late > 1; late--) left += byoyomi;
    return { ...clocks, [player]: { left, late } };
  }

  // When his turn is made, a player in byo-yomi has the whole of his period again; else his time grows by the increment.
  static renew(clocks, player, { byoyomi, increment }) {
    const { left, late } = clocks[player];
    return { ...clocks, [player]: { left: late ? byoyomi : left + increment, late } };
  }

  // The clocks at this moment.
  now() {
    const { settings } = this, clocks = clocksAt(this.node, settings);
    if (this.node.ended?.how === 'time') {
      const loser = this.session.playerOf({ B: 'W', W: 'B' }[this.node.ended.winner]);
      return { ...clocks, [loser]: { ...clocks[loser], left: 0 } };
    }
    return this.running ? Clock.spend(clocks, this.player, this.seconds, settings) : clocks;
  }

  // Another position is on the board: the old node keeps the time that was spent there.
  moved() {
    const { session, node } = this, { clock, tree: { current } } = session;
    if (clock && node && node !== current && (this.live || isTimed(node))) {
      node.clocks = this.live ? Clock.spend(clocksAt(node, clock), this.mover, this.seconds, clock) : clocksAt(node, clock);
      if (current.parent === node && !current.clocks) current.clocks = Clock.renew(node.clocks, this.mover, clock);
    }
    if (node !== current || !this.live) this.restart();
    this.node = current;
    this.mover = this.player;
    this.live = this.running;
    this.left = this.settings ? this.now() : null;
    this.draw();
  }

  tick() {
    if (!this.running) return;
    this.left = this.now();
    this.draw();
    const { player } = this, winner = { B: 'W', W: 'B' }[this.session.position.toMove];
    if (this.left[player].left > 0 || performance.now() < this.again) return;
    this.again = performance.now() + AGAIN;
    this.session.end({ winner, how: 'time' }); // the node keeps what he had: for Undo
  }

  // The node gets the time that was spent on it, as when the page is closed.
  keep() {
    if (!this.session.clock || !this.node || this.node.ended) return;
    this.node.clocks = this.left = this.now();
    this.restart();
  }

  // What the engine is told of the computer's clock.
  forEngine() {
    if (!this.session.clock || !this.node) return null;
    const { left, late } = this.now()[this.player], { byoyomi, increment } = this.session.clock;
    return { timeLeft: Math.max(0, left), spent: this.seconds, movesLeft: late ? 1 : 0, increment, ...(byoyomi > 0 ? { periodTime: byoyomi, periodMoves: 1 } : {}) };
  }

  // What a link says of it.
  get inLink() {
    return this.left ? { clock: this.settings, left: this.left } : {};
  }

  draw() {
    for (const colour of ['B', 'W']) {
      const line = byId(`player-${colour}`).querySelector('.clock'), clock = this.left?.[this.session.playerOf(colour)];
      line.hidden = !clock;
      if (!clock) continue;
      line.textContent = `${text(clock.left)}${clock.late > 1 ? ` ×${clock.late}` : ''}`;
      line.title = clock.late ? `left for this turn${clock.late > 1 ? `, in the first of ${clock.late} periods` : ''}` : 'left of the main time';
      line.classList.toggle('late', Boolean(clock.late));
    }
  }
}
