// Analysis while you look: as long as it is switched on, the position on the board is searched, and what is found is
// shown as it comes: candidates on the board and in a list, expected owners, the chances. It goes on until the winner
// is certain, another position is looked at, or the tab is hidden or closed; the server bounds its memory and its time
// (tools/serve/api.c), and a search that used its memory up goes on in the tree that it has. Where the position was searched a
// moment ago, or the one a move before, that tree is gone on with.

import { analyse, isAbort } from './api.js';
import { chanceOf, rankOf, seenBefore } from './judge.js';
import { makeRow } from './rows.js';
import { byId, html } from './svg.js';

const SHOWN = 8, SECONDS = 1e6, INTERVAL = 0.15, SETTLED = 60;
const AGAIN = 1000, REFUSALS = 3; // milliseconds until a refused search is asked for again; refusals until the page says so

const sleep = (time) => new Promise((resolve) => { setTimeout(resolve, time); });

// "61%"; near the ends with a decimal, but not at them.
export const percent = (value) => `${(100 * value).toFixed(Math.abs(value - 0.5) > 0.495 && Math.abs(value - 0.5) < 0.4995 ? 1 : 0)}%`;

// A lead in points as people say it: B+3.5.
export const lead = (points) => (points === null ? '' : `${points >= 0 ? 'B' : 'W'}+${Math.abs(points).toFixed(1)}`);

// A turn for people. Of one that is not complete, the engine names the actions: e6,xc2,xd5,>a2 is e6xc2,d5>a2 … then.
export function turnText(turn) {
  if (!/,[x>]/.test(turn)) return turn;
  let text = '', last = '';
  for (const action of turn.split(',')) {
    const [, mark, cell] = action.match(/^([x>]?)(.*)$/);
    text += `${mark && mark !== last ? mark : text ? ',' : ''}${cell}`;
    last = mark || last;
  }
  return `${text} …`;
}

// What a node keeps of an answer: enough for graph, review and to show it again.
export function summary(answer) {
  const { rootInfo, moveInfos, control } = answer;
  return { ...rootInfo, moves: moveInfos.slice(0, SHOWN), control: control ?? null };
}

// What a deeper search has found stays; a new one, which has not come that far, adds the owners and the moves that the
// old one does not know any more: a browser and a file keep only a part.
function complete(found, { moves, control }) {
  const own = found.moves.filter(({ added }) => !added), isKnown = ({ action }) => own.some((move) => move.action === action);
  const missing = moves.filter((move) => !isKnown(move)).map((move) => ({ ...move, added: true }));
  found.moves = [...own, ...missing].slice(0, SHOWN);
  found.control = control ?? found.control;
}

// A node takes what a search has found. Returns whether a deeper search of it is known.
export function take(node, found) {
  const deeper = node.analysis?.sims > found.sims && !found.proven;
  if (deeper) complete(node.analysis, found);
  else node.analysis = found;
  return deeper;
}

export class Analysis extends EventTarget {
  constructor(session, board, narrowing) {
    super();
    Object.assign(this, { session, board, narrowing });
    this.on = false;
    this.heat = false;
    this.held = false; // while a position is set up: what is on the board is none of the game
    this.linked = null; // a node whose analysis came with a link: it is shown without a search
    this.controller = null;
    this.node = null;
    this.tapped = null; // the candidate whose row a finger has chosen: a second tap plays it
    this.listed = {}; // what the rows of the list are about: {node, key}
    this.mouse = false; // it was a mouse that was over the list last: after a tap a browser calls it hovered, too
    this.id = `look-${Math.random().toString(36).slice(2)}`; // this tab's: its next query stops the last one
    session.addEventListener('position', () => this.restart());
    session.addEventListener('thinking', () => this.restart());
    narrowing.addEventListener('change', () => this.restart());
    byId('candidates').addEventListener('pointerover', (event) => { this.mouse = event.pointerType === 'mouse'; });
    document.addEventListener('visibilitychange', () => this.restart());
  }

  switchOn(on) {
    this.on = on;
    this.restart();
  }

  hold(held) {
    this.held = held;
    this.restart();
  }

  switchHeat(heat) {
    this.heat = heat;
    this.draw();
  }

  // Searches what is on the board now, where that is wanted: not while the computer thinks (it should have the
  // processors), not behind another tab, not what is searched already.
  restart() {
    const { session } = this, node = session.tree.current;
    const wanted = this.on && !this.held && !session.over && !session.thinking && !document.hidden;
    const request = { ...session.describe(), ...this.narrowing.request }, key = JSON.stringify(request);
    if (wanted && this.controller && this.key === key && this.node === node) return;
    this.controller?.abort();
    this.controller = null;
    this.node = node;
    this.partial = this.tapped = null;
    this.again = 0; // simulations of a search of a position of which a deeper one is known
    this.draw();
    if (wanted) this.run(node, request, key);
  }

  async run(node, request, key) {
    const controller = this.controller = new AbortController();
    const whole = !request.partialTurn && !this.narrowing.active; // what is found then belongs to the node
    this.key = key;
    await sleep(SETTLED); // nobody wants the positions that one runs through
    if (this.controller !== controller) return;
    let refused = 0;
    while (this.controller === controller && await this.search(controller, node, request, whole, refused++)) await sleep(AGAIN);
    if (this.controller === controller) this.controller = null;
    this.dispatchEvent(new Event('update'));
  }

  // Returns whether the server has no place for the search now: that of another tab, or of one that is just being stopped, is
  // soon free.
  async search(controller, node, request, whole, refused) {
    try {
      await analyse({ id: this.id, ...request, maxTime: SECONDS, reportDuringSearchEvery: INTERVAL, includeControl: true, keepTree: true, wideRoot: true }, (answer) => {
        if (this.controller !== controller || answer.noResults) return;
        if (answer.error) throw new Error(answer.error);
        const found = summary(answer);
        if (whole) this.again = take(node, found) ? found.sims : 0;
        else this.partial = found;
        this.draw();
        this.dispatchEvent(new Event('update'));
      }, controller.signal);
    } catch (error) {
      const full = error.status === 429;
      if (!isAbort(error) && (!full || refused === REFUSALS)) this.session.emit('error', error.message);
      return full;
    }
    return false;
  }

  get found() {
    return this.session.unfinished.length || this.narrowing.active ? this.partial : this.session.tree.current.analysis;
  }

  draw() {
    const found = !this.held && (this.on || this.linked === this.session.tree.current) ? this.found : null;
    this.drawBoard(found);
    this.drawList(found);
  }

  drawBoard(found) {
    const { board, session } = this;
    if (!board.geometry) return;
    board.showOwners(this.heat && !this.held && this.found?.control ? this.found.control : null);
    const candidates = [];
    const best = found?.moves[0], colour = found?.currentPlayer;
    for (const move of found?.moves ?? []) {
      const cell = board.geometry.cellsOf(move.action)[0];
      if (cell === undefined || (move !== best && move.sims < found.sims / 100)) continue;
      candidates.push({
        cell, best: move === best,
        loss: chanceOf(colour, best.winrate) - chanceOf(colour, move.winrate), words: inWords(move, colour),
        top: percent(chanceOf(colour, move.winrate)).replace('%', ''),
        bottom: move.scoreLead === null ? shortNumber(move.sims) : signed(chanceSign(colour) * move.scoreLead),
      });
    }
    board.showCandidates(session.over || document.body.classList.contains('learning') ? [] : candidates);
  }

  drawList(found) {
    const list = byId('candidates'), { session } = this;
    byId('candidate-table').hidden = !found;
    byId('search-state').textContent = found ? this.stateText(found) : '';
    if (!found) {
      list.replaceChildren();
      return;
    }
    if (this.isRead(list)) return;
    const colour = found.currentPlayer, moves = found.moves.slice(0, SHOWN), chance = ({ winrate }) => chanceOf(colour, winrate);
    const next = session.unfinished.length || this.narrowing.active ? null : session.tree.current.favourite;
    if (moves.length && next?.analysis && !moves.some(({ move }) => move === next.turn)) moves.push(asMove(next));
    list.replaceChildren(...moves.map((move) => this.row(move, colour, chance(moves[0]) - chance(move), move.move === next?.turn)));
  }

  // A candidate in the list; whether it is the next turn of the game.
  row(move, colour, loss, isPlayed) {
    const row = html('tr', { tabindex: 0, 'data-rank': rankOf(loss), class: isPlayed ? 'played' : null },
      html('td', { title: turnText(move.move) }, html('span', { class: 'chip' }), turnText(move.move)),
      html('td', {}, percent(chanceOf(colour, move.winrate))),
      html('td', {}, lead(move.scoreLead)),
      html('td', {}, shortNumber(move.sims)),
      html('td', { class: 'pv' }, isPlayed ? html('b', {}, 'played ') : '', move.pv.slice(1, 6).map(turnText).join(' ')));
    const tell = (event) => () => this.dispatchEvent(new CustomEvent(event, { detail: move.action }));
    const does = move.node ? { choose: () => this.session.goTo(move.node), read: null } : { choose: tell('play'), read: tell('read') };
    return makeRow(row, this.board, { key: move.action, line: move.pv, colour, list: this, ...does });
  }

  stateText({ proven, sims }) {
    if (proven) return 'proven';
    return `${shortNumber(sims)} simulations${this.again ? ` · again ${shortNumber(this.again)}` : ''}`;
  }

  // Rows are kept while a mouse or the keyboard is on them, as long as they are about what is on the board: a list that
  // jumps cannot be read.
  isRead(list) {
    const { session, listed } = this, node = session.tree.current, key = JSON.stringify([session.unfinished, this.narrowing.request]);
    const isPointedAt = this.mouse && list.matches(':hover') && list.childElementCount;
    const isUsed = isPointedAt || list.querySelector(':focus-visible');
    if (isUsed && listed.node === node && listed.key === key) return true;
    this.listed = { node, key };
    return false;
  }

  // The variation that begins on a cell, where it is a candidate.
  variationAt(cell) {
    if (!this.on || cell === null) return null;
    return this.found?.moves.find((move) => this.board.geometry.cellsOf(move.action)[0] === cell)?.pv ?? null;
  }
}

// "candidate: 47%, behind by 0.4"
function inWords({ winrate, scoreLead }, colour) {
  const ahead = scoreLead === null ? null : chanceSign(colour) * scoreLead;
  return `candidate: ${percent(chanceOf(colour, winrate))}${ahead === null ? '' : `, ${ahead < 0 ? 'behind' : 'ahead'} by ${Math.abs(ahead).toFixed(1)}`}`;
}

// The turn of a node, and what is known about it, as a candidate.
function asMove(node) {
  const { winrate, scoreLead, sims, moves } = seenBefore(node.turn, node.analysis);
  return { node, move: node.turn, winrate, scoreLead, sims, pv: [node.turn, ...moves[0]?.pv ?? []] };
}

const chanceSign = (colour) => (colour === 'B' ? 1 : -1);
const signed = (value) => `${value >= 0 ? '+' : '−'}${Math.abs(value).toFixed(1)}`;

const shortNumber = (value) => (value < 1000 ? String(value) : value < 1e6 ? `${(value / 1000).toFixed(value < 1e4 ? 1 : 0)}k` : `${(value / 1e6).toFixed(1)}M`);
