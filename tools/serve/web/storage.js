// What the browser keeps: the game of this tab (so that a reload loses nothing), the games of all tabs, and the look of
// the page. Each game has a place of its own, so that tabs do not overwrite each other's. Nothing of it leaves the browser.
//
// Two tabs may have the same game: one was duplicated, or both opened it. So each writing has a stamp. A tab that finds
// another stamp than that of its own last writing goes on with a copy of the game, under a new name.

import { newId } from './session.js';
import { GameTree } from './tree.js';

const GAME = 'stigmergy-game', LOOK = 'stigmergy-look', GAMES = 'stigmergy-games/';
const MOVES_KEPT = 4, MOVES_SHOWN = 8, TURNS_KEPT = 6; // of an analysis: candidates (there are more on the board), and turns of each

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
function shorten(found, most) {
  if (!found) return null;
  const moves = found.moves.slice(0, most).map((move) => ({ ...move, pv: move.pv.slice(0, TURNS_KEPT) }));
  return { ...found, moves, control: null };
}

function pack(session) {
  const nodes = session.tree.all();
  return {
    id: session.id, stamp: session.stamp, when: Date.now(), settings: session.settings, seats: session.seats, names: session.names,
    moveTimes: session.moveTimes, unfinished: session.unfinished, comment: session.tree.root.comment,
    nodes: session.tree.toList(), found: nodes.map((node) => shorten(node.analysis, node === session.tree.current ? MOVES_SHOWN : MOVES_KEPT)), checked: nodes.map((node) => node.checked),
    ended: nodes.map((node) => node.ended), results: nodes.map((node) => node.result), favourites: nodes.map(({ children, favourite }) => children.indexOf(favourite)),
    clock: session.clock, clockOfFile: session.tree.clock, date: session.tree.date, clocks: nodes.map((node) => node.clocks), deleted: session.deleted, turns: session.tree.final.depth,
    swapped: GameTree.turns(session.tree.final).includes('swap'),
    current: nodes.indexOf(session.tree.current), reviewed: nodes.indexOf(session.tree.reviewed), main: nodes.indexOf(session.tree.main), result: session.tree.outcome,
    noise: session.tree.reviewed?.noise,
  };
}

// Whether it is a game at all: something else may have written it, or the page of another version.
const isGame = (kept) => typeof kept?.settings?.game === 'string' && Boolean(kept.names) && Array.isArray(kept.nodes)
  && kept.nodes.every((node, i) => node?.parent >= 0 && node.parent <= i);

// {settings, tree, seats, names, moveTimes, clock, unfinished, id, stamp, deleted}, or null where it is no game.
function unpack(kept) {
  if (!isGame(kept)) return null;
  const nodes = []; // by their numbers; older pages kept equal turns apart, which are one node now
  const tree = GameTree.fromList(kept.nodes, kept.comment, {}, (node) => {
    const i = nodes.push(node) - 1;
    node.analysis ??= kept.found?.[i] ?? null;
    node.checked ??= kept.checked?.[i] ?? null; // by a review
    node.ended ??= kept.ended?.[i] ?? null;
    node.result ||= kept.results?.[i] ?? '';
    node.clocks ??= kept.clocks?.[i] ?? null;
  });
  nodes.forEach((node, i) => { node.favourite = node.children[kept.favourites?.[i]] ?? node.favourite; }); // older pages kept none
  const wholeClock = (clock) => (clock ? { periods: 1, increment: 0, ...clock } : null); // older pages knew less
  tree.clock = wholeClock(kept.clockOfFile);
  tree.date = kept.date ?? tree.date;
  tree.reviewed = nodes[kept.reviewed] ?? null;
  if (tree.reviewed) tree.reviewed.noise = kept.noise; // of its review
  tree.main = nodes[kept.main] ?? null;
  if (nodes[kept.current]) tree.select(nodes[kept.current]);
  const { moveTime = 0, moveTimes = { B: moveTime, W: moveTime } } = kept;
  return { ...kept, moveTimes, clock: wholeClock(kept.clock), tree };
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
  return keysOfGames().map((key) => read(all, key)).filter(isGame).sort((a, b) => b.when - a.when);
}

const put = (kept) => write(all, GAMES + kept.id, kept);

// A game without the candidates of its analysis: graph and review have what they need.
const isThin = ({ found }) => !found?.some((analysis) => analysis?.moves.length);
const thin = (kept) => ({ ...kept, found: kept.found.map((analysis) => analysis && { ...analysis, moves: [] }) });

// Writes a game. Where there is no room, others give way, from the one on that has not been touched for the longest time:
// first their candidates, then, with `drop`, whole games. Returns {good, dropped}; where it fails, nothing is dropped.
function putAmongOthers(kept, drop) {
  const dropped = [];
  let good;
  while (!(good = put(kept))) {
    const others = keptGames().filter(({ id }) => id !== kept.id).reverse(), thick = others.find((other) => !isThin(other));
    if (thick ? !put(thin(thick)) : !drop || !others.length) break;
    if (thick) continue;
    dropGame(others[0].id);
    dropped.push(others[0]);
  }
  if (!good) dropped.splice(0).forEach(put);
  return { good, dropped };
}

// Whether no other tab has written the session's game since this one did.
export function isOwn(session) {
  const kept = read(all, GAMES + session.id);
  return !kept || kept.stamp === session.stamp;
}

// Keeps the game of this tab. {good, dropped}: whether there was a place for it, and the games that it took the place of.
// A game that was deleted is kept for a reload alone, until somebody plays on.
export function keepGame(session, { drop = true } = {}) {
  const isDeleted = session.deleted === session.tree.all().length;
  if (!isDeleted) {
    if (!isOwn(session)) session.id = newId();
    session.deleted = null;
  }
  const kept = pack(session);
  if (kept.nodes.length === 0 || isDeleted) return { good: write(tab, GAME, kept), dropped: [] };
  const stamp = newId(), result = putAmongOthers({ ...kept, stamp }, drop);
  if (result.good) session.stamp = kept.stamp = stamp; // else that of what is there
  return { ...result, good: write(tab, GAME, kept) && result.good };
}

// Puts a game back that was deleted.
export const keepAgain = (kept) => put(kept);

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
