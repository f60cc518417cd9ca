// What the browser keeps: the game of this tab (so that a reload loses nothing), the games of all tabs, and the look of
// the page. Each game has a place of its own, so that tabs do not overwrite each other's. Nothing of it leaves the browser.

import { GameTree } from './tree.js';

const GAME = 'stigmergy-game', LOOK = 'stigmergy-look', GAMES = 'stigmergy-games/', GAMES_MAX = 100;
const MOVES_KEPT = 4, TURNS_KEPT = 6; // of an analysis: candidates, and turns of each

function read(store, key) {
  try {
    return JSON.parse(store().getItem(key));
  } catch {
    return null;
  }
}

function write(store, key, value) {
  try {
    store().setItem(key, JSON.stringify(value));
    return true;
  } catch { // full or forbidden
    return false;
  }
}

// A browser may forbid even to ask for them.
const tab = () => sessionStorage, all = () => localStorage;

// What is kept of an analysis: enough for the graph, the review and the candidates.
function shorten(found) {
  if (!found) return null;
  const moves = found.moves.slice(0, MOVES_KEPT).map((move) => ({ ...move, pv: move.pv.slice(0, TURNS_KEPT) }));
  return { ...found, moves, control: null };
}

function pack(session) {
  const nodes = session.tree.all();
  return {
    id: session.id, when: Date.now(), settings: session.settings, seats: session.seats, names: session.names,
    moveTime: session.moveTime, unfinished: session.unfinished, comment: session.tree.root.comment,
    nodes: session.tree.toList(), found: nodes.map((node) => shorten(node.analysis)), checked: nodes.map((node) => node.checked),
    ended: nodes.map((node) => node.ended), results: nodes.map((node) => node.result),
    clock: session.clock, clockOfFile: session.tree.clock, clocks: nodes.map((node) => node.clocks),
    current: nodes.indexOf(session.tree.current), result: session.tree.outcome,
  };
}

// {settings, tree, seats, names, moveTime, clock, unfinished, id}, or null.
function unpack(kept) {
  if (!kept?.settings) return null;
  const tree = GameTree.fromList(kept.nodes, kept.comment), nodes = tree.all();
  nodes.forEach((node, i) => {
    node.analysis = kept.found?.[i] ?? null;
    node.checked = kept.checked?.[i] ?? null; // by a review
    node.ended = kept.ended?.[i] ?? null;
    node.result = kept.results?.[i] ?? '';
    node.clocks = kept.clocks?.[i] ?? null;
  });
  const wholeClock = (clock) => (clock ? { periods: 1, increment: 0, ...clock } : null); // older pages knew less
  tree.clock = wholeClock(kept.clockOfFile);
  if (nodes[kept.current]) tree.select(nodes[kept.current]);
  return { ...kept, clock: wholeClock(kept.clock), tree };
}

// ---- Games ----

function keysOfGames() {
  try {
    return Object.keys(all()).filter((key) => key.startsWith(GAMES));
  } catch {
    return [];
  }
}

// All games that are kept, the last one first.
export function keptGames() {
  return keysOfGames().map((key) => read(all, key)).filter((kept) => kept?.settings).sort((a, b) => b.when - a.when);
}

// Puts a game among the others. Where there is no room, those give way that have not been touched for the longest time.
function keepAmongOthers(kept) {
  const oldest = () => keptGames().filter(({ id }) => id !== kept.id).at(-1);
  while (!write(all, GAMES + kept.id, kept)) {
    const old = oldest();
    if (!old) return false;
    dropGame(old.id);
  }
  while (keysOfGames().length > GAMES_MAX) dropGame(oldest().id);
  return true;
}

// Keeps the game of this tab. False where the browser refuses, or has no room for it.
export function keepGame(session) {
  const kept = pack(session), good = write(tab, GAME, kept);
  return (kept.nodes.length === 0 || keepAmongOthers(kept)) && good;
}

// Puts a game back that was dropped.
export const keepAgain = (kept) => keepAmongOthers(kept);

export function dropGame(id) {
  try {
    all().removeItem(GAMES + id);
  } catch { /* then there is nothing to drop */ }
}

export const keptGame = () => unpack(read(tab, GAME));
export const openKept = (kept) => unpack(kept);

// ---- The look ----

export const keptLook = () => read(all, LOOK) ?? {};
export const keepLook = (look) => write(all, LOOK, look);
