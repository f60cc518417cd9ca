// Changes of the game's tree: a turn is removed, or put on the main line. They can be taken back, the last one first, from
// any position, until another game is opened or the page is reloaded.

import { GameTree } from './tree.js';
import { byId, hide } from './svg.js';

export function setUpEdits(session) {
  let made = []; // {name: of what takes it back, back}, the last one first

  // Removes the turn on the board and all that follows it.
  function cut() {
    const { tree } = session, node = tree.current;
    if (!node.parent) return;
    const place = node.parent.children.indexOf(node);
    tree.remove(node);
    const unsettle = tree.settle(), edit = { name: 'Bring back', back: () => bringBack(node, place, unsettle) };
    made.unshift(edit);
    session.goTo(tree.current, () => {
      tree.restore(node, place);
      unsettle();
      made = made.filter((other) => other !== edit);
    });
  }

  // Where the step to it is refused, it is there all the same.
  function bringBack(node, place, unsettle) {
    const { tree } = session, turns = GameTree.turns(tree.current);
    tree.restore(node, place);
    unsettle();
    session.goTo(node, () => { tree.select(tree.find(turns)); draw(); });
  }

  // The turn on the board and those that lead to it come before their variations.
  function makeMain() {
    const { tree } = session;
    if (GameTree.isFirst(tree.current)) return;
    const undo = tree.makeMain(tree.current);
    made.unshift({ name: 'Old main line', back: () => { undo(); session.emit('position'); } });
    session.emit('position');
  }

  function draw() {
    const { current } = session.tree, [last] = made;
    byId('cut').disabled = !current.parent;
    byId('main-line').disabled = GameTree.isFirst(current);
    hide(byId('take-back'), !last);
    byId('take-back').textContent = last?.name ?? '';
  }

  byId('cut').addEventListener('click', cut);
  byId('main-line').addEventListener('click', makeMain);
  byId('take-back').addEventListener('click', () => made.shift().back());
  session.addEventListener('game', () => { made = []; });
  session.addEventListener('position', draw);
}
