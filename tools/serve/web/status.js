// What the line above the board says: whose turn it is, or who has won. Against the computer it speaks to the person who
// plays; between two people, or two computers, it names the colours.

import { HUMAN } from './session.js';

export const COLOURS = { B: 'Black', W: 'White' };
const OTHER = { B: 'W', W: 'B' };
const TOLD = { pass: 'passed', 'take-button': 'took the button' }; // turns that the board does not show
const ENDINGS = { resigned: 'resigned', time: 'ran out of time' };

const capital = (text) => text[0].toUpperCase() + text.slice(1);

// The colour of the only person who plays, or null.
export function onlyHuman(session) {
  const human = ['B', 'W'].filter((colour) => session.seat(colour) === HUMAN);
  return human.length === 1 ? human[0] : null;
}

// What the next action of an unfinished turn is, as far as the legal ones tell.
function stageText(position) {
  const effects = new Set(position.legal.map((action) => action.effect));
  if (effects.size === 1 && effects.has('remove')) return 'choose a stone to remove';
  if (effects.size === 1 && effects.has('place')) return 'place another stone';
  return 'choose the next cell';
}

// Points with komi and the button, by colour.
function totals({ score, komi, button }) {
  const half = (colour) => (button === colour ? 0.5 : 0);
  return { B: score.black + half('B'), W: score.white + (komi || 0) + half('W') };
}

// " by 1 point (34 to 33)".
function marginText(position) {
  const { score } = position, points = totals(position), won = points[score.winner], lost = points[OTHER[score.winner]];
  return ` by ${won - lost} ${won - lost === 1 ? 'point' : 'points'} (${won} to ${lost})`;
}

function endText(position, you) {
  const { score } = position, { winner, ended } = score;
  const stuck = score.black === undefined && !ended && `: no place for a ${COLOURS[position.toMove].toLowerCase()} stone`; // Bug, Sgolte
  if (!you) return `${COLOURS[winner]} wins${stuck || `: ${score.text}`}`;
  const name = (colour) => (colour === you ? 'you' : 'the computer');
  const how = ended ? `: ${name(OTHER[winner])} ${ENDINGS[ended]}` : stuck || marginText(position);
  return `${winner === you ? 'You win' : 'The computer wins'}${how}`;
}

export function statusText(session) {
  const { position, thinking, tree: { current } } = session, { over, toMove, withinTurn } = position, you = onlyHuman(session);
  if (over) return endText(position, you);
  const name = (colour) => (you ? (colour === you ? 'you' : 'the computer') : COLOURS[colour]);
  const before = TOLD[current.turn] ? `${capital(name(OTHER[toMove]))} ${TOLD[current.turn]}. ` : '';
  if (thinking) return `${before}${capital(name(toMove))} is thinking…`;
  const stage = withinTurn ? ` goes on: ${stageText(position)}` : '';
  if (you) return `${before}${toMove === you ? 'Your turn' : "The computer's turn"}${stage}`;
  return `${before}${COLOURS[toMove]}${stage || ' to move'}`;
}
