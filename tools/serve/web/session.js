// The game on the board: settings, tree, the position that the server sees in it, and whose turn it is.
//
// Every position comes from the server, which knows the rules: what may be clicked next, why not, what has happened. A
// turn may be several actions; until it is complete they are in `unfinished`.
//
// Events: `position` (another one is shown; detail: 'acted' where an action led there), `acted` (detail: what the
// action did), `going` (another position is asked for, or no more), `refused` (that one is not shown: all is as before),
// `leave` and `game` (another game), `thinking`, `clock` (another one), `message` and `error` (detail: a text).

import { post, analyseOnce, isAbort } from './api.js';
import { encodeClock, variantOf } from './link.js';
import { GameTree, endedText, playerOf } from './tree.js';

export const HUMAN = 0; // a seat: HUMAN or a level

// Why the server refuses a position, in its words.
export const reasonOf = ({ message }) => message.replace(/^position: /, '');

export const newId = () => `${Date.now().toString(36)}-${Math.floor(Math.random() * 2 ** 32).toString(36)}`;

// A position in which the game has ended otherwise than by the rules: nothing is legal in it.
function close(position, ended) {
  if (!ended) return position;
  return { ...position, over: true, legal: [], forbidden: {}, score: { ...position.score, winner: ended.winner, text: endedText(ended), ended: ended.how } };
}

export class Session extends EventTarget {
  constructor() {
    super();
    this.settings = { game: 'stigmergy', size: 8, komi: 0 };
    this.seats = { B: HUMAN, W: HUMAN };
    this.clock = null; // see clock.js
    this.timeLeft = () => null; // what a clock says to the engine
    this.moveTimes = { B: 0, W: 0 }; // seconds for a move of the computer, 0: as its level
    this.names = { B: '', W: '' };
    this.levels = []; // of the computer, as the server describes them
    this.id = newId(); // of the game, under which the browser keeps it
    this.stamp = undefined; // of what the browser has kept of it
    this.deleted = null; // how many nodes it had when it was deleted from the kept games; null: it was not
    this.tree = new GameTree();
    this.unfinished = [];
    this.isLooking = false; // whether the last step only led here: it was none of the game, nor Undo
    this.position = null;
    this.thinking = null; // an AbortController while the computer searches for its move, and until that is made
    this.seed = 1;
    this.starts = 0; // counts requests, so that a late answer does not replace a newer one
    this.going = null;
    this.undos = []; // what takes back the steps that the server has not accepted yet, the last one first
    this.addEventListener('position', () => this.keepResult());
  }

  // The request of another position, until it is shown: nobody plays on the one before.
  get going() {
    return this.request;
  }

  set going(request) {
    this.request = request;
    this.emit('going');
  }

  // Whether that is an action, which the server looks at.
  get isActing() {
    return this.going?.partialTurn?.length > this.unfinished.length;
  }

  keepResult() {
    if (this.over && !this.tree.current.ended) this.tree.current.result = this.position.score.text;
  }

  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  // What names a position in a request.
  describe(node = this.tree.current, unfinished = this.unfinished, settings = this.settings) {
    const { game, size, komi, initialStones, initialPlayer } = settings;
    return {
      game, size, komi,
      ...variantOf(settings),
      ...(initialStones?.length ? { initialStones } : {}),
      ...(initialPlayer && initialPlayer !== 'B' ? { initialPlayer } : {}),
      moves: GameTree.turns(node),
      ...(unfinished.length ? { partialTurn: unfinished } : {}),
    };
  }

  // Shows a position that the server describes; null where another one was asked for meanwhile, whatever the answer is.
  async show(request) {
    this.going = request;
    try {
      const position = await post('api/position', request);
      if (this.going !== request) return null;
      this.position = close(position, this.tree.current.ended);
      this.undos = [];
      return position;
    } catch (error) {
      if (this.going !== request) return null;
      throw error;
    } finally {
      if (this.going === request) this.going = null;
    }
  }

  // Another game: it replaces the one on the board when the server has accepted the position, and only then. False where
  // one more was asked for meanwhile; `signal` gives it up.
  async start(settings, tree = new GameTree(), { seats, names, moveTimes, clock, unfinished = [], id, stamp, deleted = null, signal } = {}) {
    const number = ++this.starts, position = await post('api/position', this.describe(tree.current, unfinished, settings), signal);
    if (number !== this.starts) return false;
    this.stopThinking();
    if (this.position) this.emit('leave');
    this.going = null; // what was asked about the game before is of no use now
    this.undos = [];
    this.settings = settings;
    this.tree = tree;
    this.isLooking = true;
    this.position = close(position, tree.current.ended);
    this.settle(position, tree.current, unfinished); // a link may call a whole turn begun
    this.seats = seats ?? { B: HUMAN, W: HUMAN };
    this.names = names ?? { B: '', W: '' };
    this.moveTimes = moveTimes ?? { B: 0, W: 0 };
    this.clock = clock ?? null;
    this.id = id ?? newId();
    this.stamp = stamp;
    this.deleted = deleted;
    this.seed = Math.floor(Math.random() * 2 ** 32);
    this.keepResult();
    tree.settle();
    this.emit('game');
    this.emit('position');
    return true;
  }

  // Shows what the tree says is on the board now; false where something else was asked for meanwhile, or where the server
  // refuses it: then `undo` takes back what was changed for this step, and so do those of the steps before that it overtook.
  async go(undo = () => {}) {
    this.undos.unshift(undo);
    try {
      const shown = await this.show(this.describe());
      if (shown) this.emit('position');
      return Boolean(shown);
    } catch (error) {
      for (const takeBack of this.undos.splice(0)) takeBack();
      this.emit('refused');
      this.emit('error', error.message);
      return false;
    }
  }

  // False also for a node that was removed. `undo` takes back what was changed before this step.
  async goTo(node, undo = () => {}) {
    if (!GameTree.isThere(node)) return false;
    this.stopThinking();
    const { unfinished } = this, unselect = this.tree.select(node);
    this.isLooking = true;
    this.unfinished = [];
    return this.go(() => { unselect(); this.unfinished = unfinished; undo(); });
  }

  // Takes an action of the side to move. The page is told only when the server has accepted it.
  async act(action) {
    if (this.going) return false;
    const actions = [...this.unfinished, action], node = this.tree.current, mover = this.position.toMove;
    const effect = this.position.legal.find((legal) => legal.action === action)?.effect;
    let position;
    try {
      position = await this.show({ ...this.describe(node, []), partialTurn: actions });
    } catch (error) {
      this.emit('error', error.message);
      return false;
    }
    if (!position) return false;
    this.thinking = null; // the computer's move is made
    this.isLooking = false;
    this.settle(position, node, actions, mover);
    if (this.over) this.finish();
    this.emit('position', 'acted');
    this.emit('acted', effect);
    return true;
  }

  // The line on the board has ended: it is the game, unless another one has ended before.
  finish() {
    const { tree } = this;
    if (!tree.result) tree.main = tree.reviewed = null;
    tree.claim(tree.current);
  }

  // What the tree says about the end of the game, to be put back.
  rememberEnd() {
    const { tree, tree: { current, main, reviewed } } = this, { ended, result } = current;
    return () => { Object.assign(tree, { main, reviewed }); Object.assign(current, { ended, result }); };
  }

  // Its end is taken back.
  goOn() {
    this.tree.unclaim(this.tree.current);
    this.tree.current.result = '';
  }

  // What the game's line ends with by the rules, where no file says it and nobody has been there.
  async findResult() {
    const { tree } = this, { end } = tree;
    if (tree.result) return;
    const { over, score } = await post('api/position', this.describe(end, []));
    if (over) end.result = score.text;
  }

  // Keeps the actions behind a node: as a turn in the tree where they are a whole one, else as those of one begun.
  settle(position, node, actions, mover) {
    this.unfinished = position.completed ? [] : actions;
    if (!position.completed) return;
    this.tree.select(this.tree.add(node, position.completed, mover));
    position.turns.push(position.completed);
  }

  // Back by an action within a turn, else by a turn; against the computer to the human's last turn.
  async undo() {
    this.stopThinking();
    if (this.isActing) return this.go(); // an action that is not there yet
    const { unfinished } = this, undo = this.rememberEnd();
    if (unfinished.length) {
      this.unfinished = unfinished.slice(0, -1);
      return this.go(() => { this.unfinished = unfinished; });
    }
    if (this.tree.current.ended) return this.end(null);
    if (this.over && !this.going) this.goOn();
    if (!this.undone) return;
    const going = this.goTo(this.undone, undo);
    this.isLooking = false;
    return going;
  }

  // Where Undo of a whole turn leads; null where nobody here has a turn to take back.
  get undone() {
    const { current, current: { parent } } = this.tree, last = playerOf(current, this.settings.initialPlayer);
    const people = Object.values(this.seats).filter((seat) => seat === HUMAN).length, against = people === 1 && this.seats[last] !== HUMAN;
    return parent && against ? parent.parent : parent;
  }

  // The game ends on the board as it stands: {winner, how}; null takes that back.
  async end(ended) {
    this.stopThinking();
    const { unfinished } = this, undo = this.rememberEnd();
    this.unfinished = [];
    if (ended) this.finish();
    else this.goOn();
    this.tree.current.ended = ended;
    if (await this.go(() => { undo(); this.unfinished = unfinished; }) && ended) this.emit('acted', ended.how);
  }

  // The person who is at the board gives up: against the computer the other colour, else the one to move. Who looks at an
  // earlier turn gives up where the turns that were played end.
  async resign() {
    this.stopThinking();
    if (this.going) return; // whoever resigned saw the position before
    const end = GameTree.line(this.tree.current).at(-1);
    if (this.isLooking && end !== this.tree.current && !await this.goTo(end)) return;
    if (this.over) return;
    const { toMove } = this.position, waiting = { B: 'W', W: 'B' }[toMove];
    const loser = this.seat(toMove) !== HUMAN && this.seat(waiting) === HUMAN ? waiting : toMove;
    await this.end({ winner: { B: 'W', W: 'B' }[loser], how: 'resigned' });
  }

  // Another clock from here on, or none. It begins anew, but that of an opened game goes on. The event `clock` tells of it.
  setClock(clock) {
    const goesOn = clock && !this.clock && this.tree.clock && encodeClock(clock) === encodeClock(this.tree.clock);
    this.clock = clock;
    if (!goesOn) for (const node of this.tree.all()) node.clocks = null;
    this.emit('clock');
  }

  async back(count = 1) {
    let node = this.tree.current;
    for (let i = 0; i < count && node.parent; i++) node = node.parent;
    if (node !== this.tree.current || this.unfinished.length) await this.goTo(node);
  }

  async forward(count = 1) {
    let node = this.tree.current;
    for (let i = 0; i < count && node.favourite && !(i && node.ended); i++) node = node.favourite; // stops where the game has ended
    if (node !== this.tree.current) await this.goTo(node);
  }

  // To the next or previous variation of the current turn.
  async sibling(step) {
    const node = this.tree.current, siblings = node.parent?.children ?? [];
    const next = siblings[siblings.indexOf(node) + step];
    if (next) await this.goTo(next);
  }

  get over() {
    return this.position?.over ?? false;
  }

  // The seats that the names in a file stand for: where one of them is a level of the computer, it plays on there.
  seatsOf(names) {
    const levelOf = (name) => this.levels.find(({ title }) => title === name)?.level ?? HUMAN;
    const seats = { B: levelOf(names.B), W: levelOf(names.W) };
    return seats.B !== HUMAN && seats.W !== HUMAN ? { B: HUMAN, W: HUMAN } : seats;
  }

  // The level of the computer that is to move, or HUMAN.
  get seatToMove() {
    return this.over ? HUMAN : this.seat(this.position?.toMove) ?? HUMAN;
  }

  // Whether the computer goes on here: at the end of a line. Who looks at an earlier turn may only want to look, or play
  // another one.
  get isComputers() {
    return this.seatToMove !== HUMAN && !this.tree.current.favourite;
  }

  // Who plays a colour. Seats belong to players, B to the one who began; a swap changes the colours of both.
  playerOf(colour) {
    return this.position?.swapped ? { B: 'W', W: 'B' }[colour] : colour;
  }

  // What players have, by the colours that they have now.
  byColour(of) {
    return { B: of[this.playerOf('B')], W: of[this.playerOf('W')] };
  }

  seat(colour) {
    return this.seats[this.playerOf(colour)];
  }

  stopThinking() {
    if (this.thinking) this.going = null; // its move is on its way
    this.thinking?.abort();
    this.thinking = null;
    this.emit('thinking');
  }

  // Lets the computer play as long as it is its turn in the position that is shown.
  async letComputerPlay() {
    while (this.seatToMove !== HUMAN && !this.thinking && !this.going) {
      const controller = this.thinking = new AbortController();
      this.emit('thinking');
      try {
        const clock = this.timeLeft(), maxTime = this.moveTimes[this.playerOf(this.position.toMove)];
        const limits = { ...(maxTime > 0 ? { maxTime } : {}), ...(clock ? { clock } : {}) };
        const answer = await analyseOnce(
          { ...this.describe(), level: this.seatToMove, ...limits, seed: this.seed++ }, controller.signal);
        if (this.thinking !== controller) return;
        const { action } = answer.moveInfos[0], colour = { B: 'Black', W: 'White' }[this.position.toMove];
        if (!await this.act(action)) break;
        if (action === 'swap' && this.seatToMove === HUMAN) this.emit('message', `The computer swaps: you play ${colour} now.`);
      } catch (error) {
        if (!isAbort(error)) this.emit('error', error.message);
        break;
      } finally {
        if (this.thinking === controller) this.thinking = null;
      }
    }
    this.emit('thinking');
  }
}
