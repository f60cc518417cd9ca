// Learn from your mistakes: the position before a mistake of the review, a better turn to be found, and a search that
// judges each answer. What the engine thinks is hidden until then.

import { isAbort } from './api.js';
import { take } from './analysis.js';
import { chanceOf, MISTAKE, seenBefore } from './judge.js';
import { lossText } from './mistakes.js';
import { HUMAN } from './session.js';
import { COLOURS, onlyHuman } from './status.js';
import { byId } from './svg.js';
import { GameTree, playerOf } from './tree.js';

const LIMIT = { maxTime: 2 }; // of the search that judges an answer

export class Learn {
  // `changed` is called when another task is there, or none.
  constructor(session, review, board, changed) {
    Object.assign(this, { session, review, board, changed, tasks: [], at: -1, controller: null, known: [] }); // known: turns that were there before the answers
    byId('learn').addEventListener('click', () => (this.on ? this.end() : this.start()));
    byId('learn-next').addEventListener('click', () => this.show(this.at + 1));
    byId('learn-solution').addEventListener('click', () => this.solve());
    byId('learn-end').addEventListener('click', () => this.end());
    session.addEventListener('game', () => this.end());
    session.addEventListener('position', () => this.leaveOut());
  }

  get on() {
    return this.at >= 0;
  }

  // The mistake to be mended, or undefined.
  get mistake() {
    return this.tasks[this.at]?.node;
  }

  // The mistakes that are listed, in the order of the game: those of the colour that is chosen there, or of the only
  // human who played, whatever his colour was then, else of both.
  start() {
    const { list, session } = this.review, isAnyones = list.colour || !onlyHuman(session);
    const isHumans = (node) => session.seats[playerOf(node, session.settings.initialPlayer)] === HUMAN;
    const own = list.listed.filter(({ node, cost }) => cost.checked && (isAnyones || isHumans(node)));
    this.tasks = own.sort((a, b) => a.node.depth - b.node.depth);
    if (!this.tasks.length) return session.emit('message', 'The review lists no mistake of yours.');
    return this.show(0);
  }

  end() {
    this.controller?.abort();
    this.at = -1;
    this.draw('');
  }

  // Mistakes whose turns were removed are none any more; nobody learns from one of them.
  leaveOut() {
    const { mistake } = this;
    if (!mistake) return;
    if (!GameTree.isThere(mistake)) return this.end();
    this.tasks = this.tasks.filter(({ node }) => GameTree.isThere(node));
    this.at = this.tasks.findIndex(({ node }) => node === mistake);
    this.drawNext();
  }

  drawNext() {
    byId('learn-next').hidden = this.at + 1 >= this.tasks.length;
  }

  draw(text, solved = false) {
    const focused = byId('learn-panel').querySelector(':focus-visible');
    document.body.classList.toggle('learning', this.on && !solved);
    byId('learn').setAttribute('aria-pressed', this.on);
    byId('learn-panel').hidden = !this.on;
    byId('learn-text').textContent = text;
    byId('learn-solution').hidden = solved;
    byId('learn-next').textContent = solved ? 'Next' : 'Skip';
    this.drawNext();
    if (focused?.closest('[hidden]')) this.focus();
    this.changed();
  }

  // The keyboard goes on where it was on a button that is gone.
  focus() {
    byId(['learn-next', 'learn-end', 'learn'].find((id) => !byId(id).closest('[hidden]'))).focus();
  }

  async show(at) {
    this.controller?.abort();
    const { node, cost } = this.tasks[at], before = { at: this.at, known: this.known };
    Object.assign(this, { at, known: [...node.parent.children] });
    await this.session.goTo(node.parent, () => { Object.assign(this, before); });
    if (this.mistake !== node) return; // refused
    this.draw(`${at + 1} of ${this.tasks.length}: ${COLOURS[cost.colour]} played ${node.turn} here (${lossText(cost)}). Find a better turn.`);
    this.board.reveal();
  }

  // Judges the turn that was just played.
  async judge() {
    const { session } = this, { node, cost } = this.tasks[this.at], answer = session.tree.current;
    if (session.unfinished.length || answer.parent !== node.parent) return;
    node.parent.favourite = node; // forward leads through the game, whatever the answer is
    if (answer.turn === cost.better) return this.praise(`${answer.turn} is the turn that the search prefers.`);
    if (answer === node) return this.refuse(answer, `${answer.turn} is what was played.`);
    const controller = this.controller = new AbortController();
    this.draw(`${answer.turn}: looking …`);
    try {
      const found = answer.analysis?.proven ? answer.analysis : await this.review.search(answer, null, LIMIT, 1, controller.signal);
      if (this.controller !== controller || controller.signal.aborted) return;
      take(answer, found);
      const chance = cost.reached - chanceOf(cost.colour, seenBefore(answer.turn, found).winrate);
      if (chance < Math.min(MISTAKE, cost.chance)) this.praise(`${answer.turn} is as good as ${cost.better}.`);
      else this.refuse(answer, `${answer.turn} loses ${(100 * chance).toFixed(0)}%${chance < cost.chance / 2 ? ': better than what was played, but there is more' : ''}.`);
    } catch (error) {
      if (!isAbort(error)) this.refuse(answer, `${answer.turn} was not judged: ${error.message}.`);
    }
  }

  praise(text) {
    this.draw(`Right: ${text}`, true);
  }

  // Takes the answer back; where it is new and nothing follows it, it leaves no variation behind. Who looks at another
  // position meanwhile stays there.
  async refuse(answer, text) {
    const { session } = this, { parent } = this.mistake, isShown = session.tree.current === answer;
    const place = parent.children.indexOf(answer), isNew = !this.known.includes(answer) && !answer.children.length && !answer.comment;
    const stay = () => {
      if (isNew) session.tree.restore(answer, place);
      this.draw(text);
    };
    if (isShown) parent.favourite = this.mistake;
    if (isNew) session.tree.remove(answer);
    if (!isShown && !session.going) session.emit('position');
    if (isShown && !await session.goTo(parent, stay)) return;
    this.draw(`${text} Try another one.`);
  }

  async solve() {
    const { node, cost } = this.tasks[this.at];
    this.controller?.abort();
    if (this.session.tree.current !== node.parent && !await this.session.goTo(node.parent)) return;
    this.draw(`Better is ${cost.better}: ${(100 * cost.reached).toFixed(0)}% for ${COLOURS[cost.colour]} instead of ${(100 * (cost.reached - cost.chance)).toFixed(0)}%.`, true);
    this.board.pinVariation(cost.reply, cost.colour);
  }
}
