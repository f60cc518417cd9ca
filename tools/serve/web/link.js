// A position as the fragment of a link: everything is in it, no server keeps anything.
//
//     #game=stigmergy&size=8&komi=3&moves=h8.g7.take-button&black=c1.c2&white=d1&to=W
//
// `begun` holds the actions of a turn that is not complete yet, `only` and `not` those that the analysis looks at or
// leaves out, and `found` what it has found: Black's chance, lead and simulations, then the same for each of the best
// moves: 0.61_2.5_12000~c3_0.61_2.5_8000~a1_0.55_1.5_900. Numbers that a game does not have are empty.

const MOVES = 8; // of what was found

function encodeFound({ winrate, scoreLead, sims, moves }) {
  const numbers = (chance, lead, count) => [chance.toFixed(4), lead?.toFixed(1) ?? '', count].join('_');
  return [numbers(winrate, scoreLead, sims), ...moves.slice(0, MOVES).map((move) => `${move.action}_${numbers(move.winrate, move.scoreLead, move.sims)}`)].join('~');
}

// As a node keeps it (analysis.js), or null where a number is none. `colour` is to move.
export function decodeFound(text, colour) {
  const lead = (number) => (number === '' ? null : Number(number));
  const read = ([winrate, scoreLead, sims]) => ({ winrate: Number(winrate || NaN), scoreLead: lead(scoreLead), sims: Number(sims) });
  const [root, ...moves] = text.split('~').map((part) => part.split('_'));
  const found = {
    ...read(root), currentPlayer: colour, proven: false, control: null,
    moves: moves.slice(0, MOVES).map(([action, ...numbers]) => ({ action, move: action, pv: [action], ...read(numbers) })),
  };
  const good = ({ winrate, scoreLead, sims }) => winrate >= 0 && winrate <= 1 && !Number.isNaN(scoreLead) && Number.isInteger(sims);
  return [found, ...found.moves].every(good) ? found : null;
}

// `analysis`: {only, not, found}, as far as the link is to hold it.
export function encode(settings, turns, unfinished = [], { only = [], not = [], found = null } = {}) {
  const fields = new URLSearchParams({ game: settings.game, size: settings.size, komi: settings.komi });
  for (const key of ['capture', 'pie']) if (settings[key]) fields.set(key, settings[key]);
  for (const [key, colour] of [['black', 'B'], ['white', 'W']]) {
    const cells = (settings.initialStones ?? []).filter((stone) => stone[0] === colour).map((stone) => stone[1]);
    if (cells.length) fields.set(key, cells.join('.'));
  }
  if (settings.initialPlayer === 'W') fields.set('to', 'W');
  if (turns.length) fields.set('moves', turns.join('.'));
  if (unfinished.length) fields.set('begun', unfinished.join('.'));
  if (only.length) fields.set('only', only.join('.'));
  if (not.length) fields.set('not', not.join('.'));
  if (found?.moves.length) fields.set('found', encodeFound(found));
  return `#${fields}`;
}

// {settings, turns, unfinished, only, not, found}, or null where the fragment is none of ours. What it says is checked by the server.
export function decode(fragment) {
  const fields = new URLSearchParams(fragment.replace(/^#/, ''));
  const list = (key) => (fields.get(key) || '').split('.').filter(Boolean);
  if (!fields.has('game') || !fields.has('size')) return null;
  const settings = { game: fields.get('game'), size: Number(fields.get('size')), komi: Number(fields.get('komi') || 0) };
  for (const key of ['capture', 'pie']) if (fields.get(key)) settings[key] = fields.get(key);
  settings.initialStones = [...list('black').map((cell) => ['B', cell]), ...list('white').map((cell) => ['W', cell])];
  if (fields.get('to') === 'W') settings.initialPlayer = 'W';
  return { settings, turns: list('moves'), unfinished: list('begun'), only: list('only'), not: list('not'), found: fields.get('found') };
}
