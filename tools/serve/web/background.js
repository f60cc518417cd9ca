// The whole game in the background: while analysis is on, the positions of the line that nobody has looked at yet are
// searched for a moment each, the one on the board first by its own search (analysis.js). So the graph and the losses of
// an opened game appear by themselves. A review looks longer.
//
// A server allows a visitor so many searches. So the tabs of a browser take turns in this, and where the server
// refuses another search, the page tries again later.

import { isAbort } from './api.js';
import { GameTree } from './tree.js';

const LIMIT = { maxTime: 0.2 }, AGAIN = 1000; // milliseconds

// Waits until no other tab does it. A page that is no secure context cannot ask for that.
const alone = (signal, work) => (navigator.locks ? navigator.locks.request('stigmergy-background', { signal }, work) : work());

export class Background extends EventTarget {
  constructor(session, analysis, review) {
    super();
    Object.assign(this, { session, analysis, review, controller: null });
    session.addEventListener('position', () => this.look());
    session.addEventListener('thinking', () => this.look());
    session.addEventListener('game', () => this.stop());
    document.addEventListener('visibilitychange', () => this.look());
    review.addEventListener('done', () => this.look());
  }

  get wanted() {
    return this.analysis.on && !this.session.thinking && !this.review.controller && !document.hidden;
  }

  get next() {
    const { current } = this.session.tree;
    return GameTree.line(current).find((node) => !node.analysis && (node !== current || this.session.over));
  }

  stop() {
    this.controller?.abort();
    this.controller = null;
  }

  // Starts or stops, as things are now.
  async look() {
    if (!this.wanted) return this.stop();
    if (this.controller) return;
    const controller = this.controller = new AbortController();
    try {
      for (let node; this.wanted && (node = this.next);) {
        const found = await alone(controller.signal, () => this.review.search(node, null, LIMIT, 1, controller.signal));
        if (this.controller !== controller) return;
        node.analysis ??= found;
        this.dispatchEvent(new Event('update'));
      }
    } catch (error) {
      if (error.status === 429) setTimeout(() => this.look(), AGAIN);
      else if (!isAbort(error) && this.controller === controller) this.session.emit('error', error.message);
    }
    if (this.controller === controller) this.controller = null;
  }
}
