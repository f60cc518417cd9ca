// The list of a review's mistakes: whose, in which order, and the worst ones or all that the review confirms.

import { turnText } from './analysis.js';
import { LISTED } from './judge.js';
import { COLOURS } from './status.js';
import { byId, html, refill } from './svg.js';

// "−12%", and with points "−12%, 3.5 points".
export const lossText = ({ chance, points }) => `−${(100 * chance).toFixed(0)}%${points === null ? '' : `, ${points.toFixed(1)} points`}`;

const byChance = (a, b) => b.cost.chance - a.cost.chance, byPoints = (a, b) => b.cost.points - a.cost.points, byTurn = (a, b) => a.node.depth - b.node.depth;

export class Mistakes {
  // `changed` is called when another choice is made, `again` with the node of a mistake to try again.
  constructor(session, changed, again) {
    Object.assign(this, { session, again, own: [], all: false }); // own: of the chosen player, the worst first
    for (const id of ['mistakes-of', 'mistakes-by']) byId(id).addEventListener('change', changed);
    byId('mistakes-all').addEventListener('click', () => { this.all = !this.all; changed(); });
    session.addEventListener('game', () => { this.all = false; });
  }

  // Whose mistakes are chosen, by the colour at the end of the game; empty: of both.
  get colour() {
    return byId('mistakes-of').value;
  }

  get listed() {
    const listed = this.all ? [...this.own] : this.own.slice(0, LISTED);
    return byId('mistakes-by').value === 'turn' ? listed.sort(byTurn) : listed;
  }

  // Lists the chosen ones of those that the review has found.
  draw(found) {
    const { colour } = this, order = byId('mistakes-by'), hasPoints = found.some(({ cost }) => cost.points !== null);
    byId('mistakes-choice').hidden = !found.length;
    order.querySelector('[value=points]').hidden = !hasPoints;
    if (!hasPoints && order.value === 'points') order.value = 'chance';
    this.own = found.filter(({ cost }) => !colour || cost.player === colour).sort(order.value === 'points' ? byPoints : byChance);
    refill(byId('mistakes'), this.listed.map((mistake) => this.item(mistake)));
    byId('mistakes-all').hidden = this.own.length <= LISTED;
    byId('mistakes-all').textContent = `All ${this.own.length}`;
    byId('mistakes-all').setAttribute('aria-pressed', this.all);
    byId('no-mistakes').textContent = `No turn${colour && ` of ${COLOURS[colour]}`} lost three per cent or more.`;
  }

  item({ node, cost }) {
    return html('li', {},
      html('button', { class: 'link', onclick: () => this.session.goTo(node) },
        html('span', { class: `dot dot-${cost.player}`, 'aria-label': COLOURS[cost.player] }), `${node.depth}. ${node.turn}`),
      html('span', { class: 'loss' }, lossText(cost).replace('points', 'pts')),
      html('span', { class: 'better' }, `better ${turnText(cost.better)}`),
      html('button', { class: 'small', title: 'Go to the position before this turn and play another one', 'aria-label': `Retry ${node.depth}. ${node.turn}`, onclick: () => this.again(node) }, 'Retry'));
  }
}
