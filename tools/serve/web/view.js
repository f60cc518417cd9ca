// How the board is shown: move numbers, which side is up, sounds. The browser keeps it.

import { onSubmit, open } from './dialogs.js';
import { keepLook, keptLook } from './storage.js';
import { byId } from './svg.js';
import { GameTree } from './tree.js';

export class View {
  // `changed` is called when the board must be drawn again, `turned` when it must be built again.
  constructor(changed, turned) {
    const look = keptLook(), dialog = byId('view-dialog');
    this.numbers = look.numbers ?? false;
    this.turns = look.turns ?? 0; // sixths of a full turn, clockwise
    this.sounds = look.sounds ?? true;
    for (const name of ['numbers', 'sounds']) {
      byId(`view-${name}`).checked = this[name];
      byId(`view-${name}`).addEventListener('change', (event) => {
        this[name] = event.target.checked;
        this.keep();
        changed();
      });
    }
    byId('view-turn').addEventListener('click', () => {
      this.turns = (this.turns + 1) % 6;
      this.keep();
      turned();
    });
    onSubmit(dialog, async () => {});
    byId('view').addEventListener('click', () => open(dialog));
  }

  keep() {
    keepLook({ ...keptLook(), numbers: this.numbers, turns: this.turns, sounds: this.sounds });
  }

  // The number of the turn that put the stone there or changed it, by cell: [{cell, number, newest}].
  numbersOn(session, geometry) {
    const last = new Map(), path = this.numbers ? GameTree.path(session.tree.current) : [];
    path.forEach((node, number) => {
      for (const cell of node.turn ? geometry.cellsOf(node.turn) : []) last.set(cell, number);
    });
    return [...last].filter(([cell]) => session.position.stones[cell] !== '.')
      .map(([cell, number]) => ({ cell, number, newest: number === path.length - 1 }));
  }
}
