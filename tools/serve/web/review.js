// The review of a game: every position of the line is searched, each turn gets what it lost, and the mistakes that a longer
// search has confirmed (judge.js) are listed (mistakes.js). It goes on while one looks at other positions, and stays while
// one tries other turns, until such a variation is reviewed itself, or made the main line.

import { analyse, isAbort } from './api.js';
import { percent, summary } from './analysis.js';
import { hasSwap, Judge, mistakesOf, playersOf } from './judge.js';
import { Mistakes } from './mistakes.js';
import { COLOURS } from './status.js';
import { GameTree } from './tree.js';
import { byId, hide, html } from './svg.js';

const NEARLY_ALL = 0.9; // of the turns: then the accuracy is that of the game
const NO_REPORTS = 1e5; // seconds between them: a search that reports is no move, so that moves go before it

export class Review extends EventTarget {
  constructor(session) {
    super();
    this.session = session;
    this.controller = null;
    this.end = null; // of the line that the last review was about
    this.factor = 0; // by how much it went beyond the limit that is chosen
    this.list = new Mistakes(session, () => this.draw(), (node) => this.again(node));
    byId('review').addEventListener('click', () => (this.controller ? this.stop() : this.run()));
    byId('review-limit').addEventListener('change', () => { this.factor = 0; this.draw(); });
    session.addEventListener('game', () => this.forget());
    session.addEventListener('position', () => (session.tree.reviewed === this.end ? this.draw() : this.forget()));
  }

  get line() {
    return this.session.tree.game;
  }

  // The factor where the whole line was reviewed; 0 where it was not, or turns came or went since.
  get reached() {
    return this.line.at(-1) === this.end ? this.factor : 0;
  }

  // The limit that is chosen: maxTime or maxSims.
  get limit() {
    const [key, value] = byId('review-limit').value.split(' ');
    return { [key]: Number(value) };
  }

  // Another line is under review.
  forget() {
    this.end = this.session.tree.reviewed;
    this.factor = 0;
    this.stop();
  }

  stop() {
    this.controller?.abort();
    this.controller = null;
    this.draw();
  }

  // Searches one position; an answer that the server did not finish ends the review.
  async search(node, turn, limit, seed, signal) {
    const request = this.session.describe(node, []);
    if (turn) request.moves = [...request.moves, turn];
    let last = null;
    await analyse({ id: 'review', ...request, ...limit, seed, reportDuringSearchEvery: NO_REPORTS, includeControl: !turn }, (answer) => { last = answer; }, signal);
    if (!last || last.error || last.noResults) throw new Error(last?.error || 'the review was stopped');
    return summary(last);
  }

  async run() {
    const { session } = this, { tree } = session, controller = this.controller = new AbortController(), { signal } = controller;
    const line = tree.branch ? GameTree.line(tree.current) : tree.game;
    this.factor = tree.branch ? 0 : this.reached;
    this.end = tree.reviewed = line.at(-1);
    const factor = 2 * this.factor || 1; // again: deeper
    const limit = Object.fromEntries(Object.entries(this.limit).map(([key, value]) => [key, value * factor]));
    const shown = (text) => { this.progress = text; this.draw(); this.dispatchEvent(new Event('update')); };
    const judge = new Judge({
      seed: Math.floor(Math.random() * 1e9),
      search: (...what) => this.search(...what, signal),
      update: (done, of) => { if (this.controller === controller) shown(`${Math.min(done, of)} of ${of}`); },
    });
    shown('…');
    try {
      const noise = await judge.review(line, limit);
      if (this.controller === controller) {
        this.factor = factor;
        this.end.noise = noise; // kept with the game: its mistakes are those above it
      }
    } catch (error) {
      if (!isAbort(error)) session.emit('error', error.message);
    }
    if (this.controller === controller) this.controller = null;
    this.draw();
    this.dispatchEvent(new Event('done'));
    this.dispatchEvent(new Event('update'));
  }

  // Whether nobody has asked for it yet, as far as the page knows.
  get isNew() {
    return !this.controller && !this.reached && !this.list.own.length && !this.session.tree.branch;
  }

  // What the button does.
  get label() {
    if (this.controller) return `Stop (${this.progress})`;
    if (this.session.tree.branch) return 'Review this variation';
    return this.reached ? 'Review deeper' : 'Review the game';
  }

  draw() {
    const { line, list } = this;
    list.draw(mistakesOf(line, (this.end?.noise ?? 0) / 2));
    byId('review').textContent = this.label;
    hide(byId('to-game'), !this.session.tree.branch);
    byId('review').disabled = line.length < 2 && !this.controller;
    byId('review-limit').disabled = Boolean(this.controller);
    byId('learn').disabled = byId('learn').ariaPressed !== 'true' && (!list.own.length || Boolean(this.controller));
    this.drawAccuracy();
    byId('no-mistakes').hidden = list.own.length > 0 || !this.reached;
  }

  // Of the turns whose cost is known, which may be few while the game is analysed.
  drawAccuracy() {
    const { line } = this, players = playersOf(line), known = (players.B?.turns ?? 0) + (players.W?.turns ?? 0), turns = line.length - 1;
    byId('accuracy').hidden = !known;
    const few = known && known < NEARLY_ALL * turns && `From ${known} of ${turns} turns:`;
    byId('accuracy-of').textContent = [few, known && hasSwap(line) && 'Each player under the colour after the swap:'].filter(Boolean).join(' ');
    byId('accuracy-of').hidden = !byId('accuracy-of').textContent;
    byId('accuracies').replaceChildren(...['B', 'W'].filter((colour) => players[colour]).map((colour) => {
      const { accuracy, chance, points } = players[colour];
      return html('tr', {}, html('td', {}, html('span', { class: `dot dot-${colour}`, 'aria-hidden': 'true' }), ` ${COLOURS[colour]}`),
        html('td', {}, percent(accuracy)), html('td', {}, `${(100 * chance).toFixed(1)}%`), html('td', {}, points === null ? '' : points.toFixed(1)));
    }));
  }

  // "Try again from here": the position before the turn, with the move to be found by the one who made it.
  async again(node) {
    if (await this.session.goTo(node.parent)) this.dispatchEvent(new Event('again'));
  }
}
