// What screen readers hear of the analysis: Black's chance and the best move, when a position has been searched for a
// second, and again when another move is best, but not too often. Not while somebody is to find a better turn.

import { percent } from './analysis.js';
import { byId } from './svg.js';

const FIRST = 1000, AGAIN = 5000; // milliseconds

export class Narrator {
  constructor(analysis) {
    Object.assign(this, { analysis, key: null, since: 0, told: -Infinity, best: null });
    analysis.addEventListener('update', () => this.tell());
  }

  tell() {
    const { analysis: { on, found, key, controller } } = this, now = performance.now(), best = found?.moves[0]?.move;
    if (!on || !best || document.body.classList.contains('learning')) return;
    if (key !== this.key) Object.assign(this, { key, since: now, told: -Infinity, best: null });
    const isEarly = now - this.since < FIRST || now - this.told < AGAIN;
    if (best === this.best || (controller && isEarly)) return; // a search that has ended will find nothing more
    Object.assign(this, { told: now, best });
    byId('spoken').textContent = `Black ${percent(found.winrate)}, best ${best}`;
  }
}
