// What the browser keeps: the game of this tab (so that a reload loses nothing), and the look of the page.

import { GameTree } from './tree.js';

const GAME = 'stigmergy-game', LOOK = 'stigmergy-look';

function read(store, key) {
  try {
    return JSON.parse(store.getItem(key));
  } catch {
    return null;
  }
}

function write(store, key, value) {
  try {
    store.setItem(key, JSON.stringify(value));
  } catch { /* full or forbidden: nothing is kept */ }
}

export function keepGame(session) {
  const nodes = session.tree.all();
  write(sessionStorage, GAME, {
    settings: session.settings, seats: session.seats, names: session.names, moveTime: session.moveTime,
    unfinished: session.unfinished, comment: session.tree.root.comment, nodes: session.tree.toList(), current: nodes.indexOf(session.tree.current),
  });
}

// {settings, tree, seats, names, moveTime, unfinished}, or null.
export function keptGame() {
  const kept = read(sessionStorage, GAME);
  if (!kept?.settings) return null;
  const tree = GameTree.fromList(kept.nodes, kept.comment), node = tree.all()[kept.current];
  if (node) tree.select(node);
  return { ...kept, tree };
}

export const keptLook = () => read(localStorage, LOOK) ?? {};
export const keepLook = (look) => write(localStorage, LOOK, look);
