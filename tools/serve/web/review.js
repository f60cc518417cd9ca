// The review of a game: every position of the line is searched, each turn gets the chance that it lost, and the biggest
// mistakes are listed.

import { analyse, isAbort } from './api.js';
import { chanceOf, summary } from './analysis.js';
import { GameTree } from './tree.js';
import { byId, html } from './svg.js';

const SIMULATIONS = 600, LISTED = 6, MISTAKE = 0.03;

// The chance to win that a turn lost, for the one who made it; null where it is not known. A turn that turns out better
// than the search thought lost nothing.
export function lossOf(node) {
  const before = node.parent?.analysis, after = node.analysis;
  if (!before || !after) return null;
  const colour = before.currentPlayer;
  return Math.max(0, chanceOf(colour, before.winrate) - chanceOf(colour, after.winrate));
}

export class Review extends EventTarget {
  constructor(session) {
    super();
    this.session = session;
    this.controller = null;
    byId('review').addEventListener('click', () => (this.controller ? this.stop() : this.run()));
    session.addEventListener('game', () => this.stop());
    session.addEventListener('position', () => this.draw());
  }

  stop() {
    this.controller?.abort();
    this.controller = null;
    this.draw();
  }

  async run() {
    const { session } = this, line = GameTree.line(session.tree.current);
    const wanted = line.filter((node) => !(node.analysis?.sims >= SIMULATIONS || node.analysis?.proven));
    if (!wanted.length) return this.draw();
    const controller = this.controller = new AbortController();
    let done = 0;
    this.progress = `0 of ${wanted.length}`;
    this.draw();
    const request = { ...session.describe(line.at(-1), []), analyzeTurns: wanted.map((node) => node.depth), maxSims: SIMULATIONS, includeControl: true };
    try {
      await analyse(request, (answer) => {
        if (this.controller !== controller || answer.isDuringSearch || answer.noResults) return;
        line[answer.turnNumber].analysis = summary(answer);
        this.progress = `${++done} of ${wanted.length}`;
        this.draw();
        this.dispatchEvent(new Event('update'));
      }, controller.signal);
    } catch (error) {
      if (!isAbort(error)) session.emit('message', error.message);
    }
    if (this.controller === controller) this.controller = null;
    this.draw();
    this.dispatchEvent(new Event('update'));
  }

  draw() {
    const { session } = this, line = GameTree.line(session.tree.current);
    byId('review').textContent = this.controller ? `Stop (${this.progress})` : 'Review the game';
    byId('review').disabled = line.length < 2 && !this.controller;
    const mistakes = line.map((node) => ({ node, loss: lossOf(node) ?? 0 })).filter(({ loss }) => loss >= MISTAKE);
    mistakes.sort((a, b) => b.loss - a.loss);
    byId('mistakes').replaceChildren(...mistakes.slice(0, LISTED).map(({ node, loss }) => {
      const better = node.parent.analysis.moves[0]?.move, colour = node.parent.analysis.currentPlayer;
      return html('li', {},
        html('button', { class: 'link', onclick: () => session.goTo(node) },
          html('span', { class: `dot dot-${colour}`, 'aria-label': colour === 'B' ? 'Black' : 'White' }), `${node.depth}. ${node.turn}`),
        html('span', { class: 'loss' }, `−${(100 * loss).toFixed(0)}%`),
        html('span', { class: 'better' }, better && better !== node.turn ? `better ${better}` : ''),
        html('button', { class: 'small', title: 'Go to the position before this turn and play another one', onclick: () => this.again(node) }, 'Try again'));
    }));
    byId('no-mistakes').hidden = mistakes.length > 0 || !line.some((node) => lossOf(node) !== null);
  }

  // "Try again from here": the position before the turn, with the move to be found by the one who made it.
  async again(node) {
    await this.session.goTo(node.parent);
    this.dispatchEvent(new Event('again'));
  }
}
