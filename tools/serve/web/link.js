// A position as the fragment of a link: everything is in it, no server keeps anything.
//
//     #game=stigmergy&size=8&komi=3&moves=h8.g7.take-button&black=c1.c2&white=d1&to=W
//
// `end` says who resigned or ran out of time there: W.resigned, B.time. `clock` is the clock (clock.js), and `left` what it
// shows, first to the player who began with Black: 600_3x30 is ten minutes and three periods of 30 seconds, 600_10 an
// increment of ten; 431_27.5x2 is the main time of one and the second last period of the other.
//
// `begun` holds the actions of a turn that is not complete yet, `only` and `not` those that the analysis looks at or
// leaves out, and `found` what it has found: Black's chance, lead and simulations, then the same for each of the best
// moves, with the turns that may follow it: 0.61_2.5_12000~c3_0.61_2.5_8000_d4.e5~a1_0.55_1.5_900. Numbers that a game
// does not have are empty.

import { endingOf } from './tree.js';

const MOVES = 8, REPLIES = 4; // of what was found
const LEAD_MAX = 543, SECONDS_MAX = 1e7, PERIODS_MAX = 1000; // what the server takes in a game (tree_json.c, game_tree.h)

// The settings that name a variant of a game, where it is not the usual one.
export const VARIANTS = ['capture', 'pie'];
export const variantOf = (settings) => Object.fromEntries(VARIANTS.filter((key) => settings[key]).map((key) => [key, settings[key]]));

const areSeconds = (...numbers) => numbers.every((number) => number >= 0 && number <= SECONDS_MAX);

export const encodeClock = ({ main, byoyomi, periods, increment }) => `${main}${byoyomi ? `_${periods}x${byoyomi}` : increment ? `_${increment}` : ''}`;

function decodeClock(text) {
  const [whole, main, periods = 1, byoyomi = 0, increment = 0] = text.match(/^([\d.]+)(?:_([1-9]\d*)x([\d.]+)|_([\d.]+))?$/) ?? [];
  const clock = { main: Number(main), byoyomi: Number(byoyomi), periods: Number(periods), increment: Number(increment) };
  const good = whole && areSeconds(clock.main, clock.byoyomi, clock.increment) && clock.periods <= PERIODS_MAX;
  return good && clock.main + clock.byoyomi + clock.increment > 0 ? clock : null;
}

const encodeLeft = (left) => ['B', 'W'].map((player) => `${Math.max(0, left[player].left).toFixed(1)}${left[player].late ? `x${Number(left[player].late)}` : ''}`).join('_');

function decodeLeft(text) {
  const [, black, blackLate = 0, white, whiteLate = 0] = text.match(/^([\d.]+)(?:x(\d+))?_([\d.]+)(?:x(\d+))?$/) ?? [];
  const good = areSeconds(Number(black), Number(white)) && Math.max(blackLate, whiteLate) <= PERIODS_MAX;
  return good ? { B: { left: Number(black), late: Number(blackLate) }, W: { left: Number(white), late: Number(whiteLate) } } : null;
}

function encodeFound({ winrate, scoreLead, sims, moves }) {
  const numbers = (chance, lead, count) => [chance.toFixed(4), lead?.toFixed(1) ?? '', count].join('_');
  return [numbers(winrate, scoreLead, sims), ...moves.slice(0, MOVES).map((move) =>
    [move.action, numbers(move.winrate, move.scoreLead, move.sims), move.pv.slice(1, 1 + REPLIES).join('.')].filter(Boolean).join('_'))].join('~');
}

// As a node keeps it (analysis.js), or null where a number is none. `colour` is to move.
export function decodeFound(text, colour) {
  const lead = (number) => (number === '' ? null : Number(number));
  const pvOf = (replies = '') => replies.split('.').filter(Boolean).slice(0, REPLIES);
  const read = ([winrate, scoreLead, sims]) => ({ winrate: Number(winrate || NaN), scoreLead: lead(scoreLead), sims: Number(sims) });
  const [root, ...moves] = text.split('~').map((part) => part.split('_'));
  const found = {
    ...read(root), currentPlayer: colour, proven: false, control: null,
    moves: moves.slice(0, MOVES).map(([action, ...rest]) => ({ action, move: action, pv: [action, ...pvOf(rest[3])], ...read(rest) })),
  };
  const good = ({ winrate, scoreLead, sims }) => winrate >= 0 && winrate <= 1 && Math.abs(scoreLead) <= LEAD_MAX && Number.isSafeInteger(sims);
  return [found, ...found.moves].every(good) ? found : null;
}

// What else the link is to hold: {only, not, found} of the analysis, how the game has ended, the clock.
export function encode(settings, turns, unfinished = [], { only = [], not = [], found = null, ended = null, clock = null, left = null } = {}) {
  const fields = new URLSearchParams({ game: settings.game, size: settings.size, komi: settings.komi, ...variantOf(settings) });
  for (const [key, colour] of [['black', 'B'], ['white', 'W']]) {
    const cells = (settings.initialStones ?? []).filter((stone) => stone[0] === colour).map((stone) => stone[1]);
    if (cells.length) fields.set(key, cells.join('.'));
  }
  if (settings.initialPlayer === 'W') fields.set('to', 'W');
  if (turns.length) fields.set('moves', turns.join('.'));
  if (unfinished.length) fields.set('begun', unfinished.join('.'));
  if (ended) fields.set('end', `${ended.winner === 'B' ? 'W' : 'B'}.${ended.how}`);
  if (clock) fields.set('clock', encodeClock(clock));
  if (left) fields.set('left', encodeLeft(left));
  if (only.length) fields.set('only', only.join('.'));
  if (not.length) fields.set('not', not.join('.'));
  if (found?.moves.length) fields.set('found', encodeFound(found));
  return `#${fields}`;
}

// {settings, turns, unfinished, only, not, found, ended, clock, left}, or null where the fragment is none of ours. What it
// says of the game is checked by the server.
export function decode(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const list = (key) => (fields.get(key) || '').split('.').filter(Boolean);
  if (!fields.has('game') || !fields.has('size')) return null;
  const settings = {
    game: fields.get('game'), size: Number(fields.get('size')), komi: Number(fields.get('komi') || 0),
    ...variantOf(Object.fromEntries(fields)),
  };
  settings.initialStones = [...list('black').map((cell) => ['B', cell]), ...list('white').map((cell) => ['W', cell])];
  if (fields.get('to') === 'W') settings.initialPlayer = 'W';
  const [loser, how] = list('end'), clock = decodeClock(fields.get('clock') ?? '');
  return {
    settings, turns: list('moves'), unfinished: list('begun'), only: list('only'), not: list('not'), found: fields.get('found'),
    ended: endingOf({ B: 'W', W: 'B' }[loser], how), clock, left: clock && decodeLeft(fields.get('left') ?? ''),
  };
}
