// The introductions: a few small positions for each game, each with a rule and a task. Nothing here judges by rules of
// its own: every `right` asks for what the engine says about the position (selfplay/analysis/position_json.h).
//
// A lesson has a position (size, black, white, to, komi, moves, begun) and one of three tasks:
//
//     cell    choose a cell; right(at, cell)
//     turn    play a turn; right(after, at): the situations after and before it
//     choice  choose an answer of `choices`; right(at, choice)
//
// `wrong` explains an answer in the same terms, `done` a right one. `mark` is a cell to be marked, `plain` hides control.

const COLOURS = { B: 'Black', W: 'White' };

// A position, with its cells by name.
export class Situation {
  constructor(position, geometry) {
    Object.assign(this, { position, geometry, legal: new Map(position.legal.map((action) => [action.cell, action])) });
  }

  name(cell) {
    return this.geometry.cells[cell].name;
  }

  isEmpty(cell) {
    return this.position.stones[cell] === '.';
  }

  controls(colour, cell) {
    return this.position.control[cell] === colour;
  }

  sees(name, cell) {
    return this.position.sight[this.geometry.byName.get(name)].seen.includes(cell);
  }

  count(colour) {
    return [...this.position.stones].filter((stone) => stone === colour).length;
  }

  // Whether a stone of a colour stands on a cell next to this one.
  touches(cell, colour) {
    return this.geometry.neighbours(cell).some((at) => this.position.stones[at] === colour);
  }

  // Why a cell cannot be played, in the engine's words.
  reason(cell) {
    return (this.position.forbidden[cell] ?? '').replace(/^[a-z]\d+: /, '');
  }

  // What a cell sees, in words.
  sight(cell) {
    const { needed, seen } = this.position.sight[cell];
    const count = (colour) => seen.filter((at) => this.position.stones[at] === colour).length;
    return `${this.name(cell)} sees ${count('B')} black and ${count('W')} white stones; ${needed} of a colour control it.`;
  }
}

const sides = [['B', 'Black'], ['W', 'White']];
const isWinner = (at, colour) => at.position.score.winner === colour;
const isShut = (at, cell) => at.isEmpty(cell) && !at.legal.has(cell);
const whyShut = (at, cell) => `${at.name(cell)}: ${at.reason(cell)}.`;
const notShut = (at, cell) => (at.isEmpty(cell) ? `Black may place a stone on ${at.name(cell)}.` : 'There is a stone already. Look for an empty cell.');

const stigmergy = [
  {
    title: 'Seeing', size: 4, black: 'd5 b2', white: 'd7 f2', mark: 'd4', plain: true,
    text: 'Who owns more cells at the end wins. What counts is what a cell sees: six straight lines run from it, and along each it sees the first stone, and nothing behind it.',
    task: 'The marked cell sees three stones. Choose the stone that it does not see.',
    cell: true, right: (at, cell) => !at.isEmpty(cell) && !at.sees('d4', cell),
    wrong: (at, cell) => (at.isEmpty(cell) ? 'There is no stone.' : `${at.name(cell)} is the first stone on its line, so the marked cell sees it.`),
    done: () => 'd7 stands behind d5.',
  },
  {
    title: 'Control', size: 4, black: 'd2 f2 f4 c4', white: 'e5 b2', plain: true,
    text: 'You control a cell that sees more of your stones than half of its neighbours. A cell with six neighbours needs four. Point at a cell or tap it to see what it sees.',
    task: 'Choose the empty cell that Black controls.',
    cell: true, right: (at, cell) => at.isEmpty(cell) && at.controls('B', cell),
    wrong: (at, cell) => (at.isEmpty(cell) ? at.sight(cell) : 'There is a stone. Look for an empty cell.'),
    done: (at, cell) => at.sight(cell),
  },
  {
    title: 'Placing', size: 4, black: 'd3 c4', white: 'g2 d7 e5 b3', plain: true,
    text: 'At the edge a cell has four neighbours, and three stones control it. In a corner two are enough. You may place a stone on every empty cell that your opponent does not control.',
    task: 'Choose an empty cell where Black may not place a stone.',
    cell: true, right: isShut, wrong: (at, cell) => (at.isEmpty(cell) ? `Black may place there: ${at.sight(cell)}` : notShut(at, cell)), done: whyShut,
  },
  {
    title: 'Taking control', size: 4, black: 'd2 f2 b4', white: 'e5 b2', mark: 'd4', plain: true,
    text: 'A stone far away counts as much as one close by, if nothing stands between.',
    task: 'Place a black stone so that Black controls the marked cell.',
    right: (after) => after.controls('B', after.geometry.byName.get('d4')),
    wrong: (after) => after.sight(after.geometry.byName.get('d4')), done: (after) => after.sight(after.geometry.byName.get('d4')),
  },
  {
    title: 'Flipping', size: 4, black: 'd2 f2 f4 c4', white: 'd4 b2 e1',
    text: 'Instead of placing a stone, you may flip an enemy stone that stands on a cell that you control. It takes your colour. On the board such a stone has a dashed ring.',
    task: 'Flip a white stone.',
    right: (after, before) => after.count('W') < before.count('W'),
    wrong: () => 'That places a stone. Choose a white stone with a dashed ring, to flip it.', done: () => 'The stone is Black’s now, and it counts for what other cells see.',
  },
  {
    title: 'The end', size: 2, black: 'b1 b2', white: 'c2 a2', komi: 2, moves: ['pass', 'pass'],
    text: 'You may pass when each empty cell is controlled. Two passes end the game. Your stones and your empty cells count (stripes are Black’s, dots White’s), and komi is added for White. With odd komi a button lies on the table: once, one player may take it instead of moving, for half a point. Before that nobody may pass.',
    task: 'Both have passed, and komi is 2. Who wins?',
    choices: sides, right: isWinner,
    wrong: ({ position: { score, komi } }) => `Black has ${score.black} points, White ${score.white} and komi ${komi}.`,
    done: ({ position: { score, komi } }) => `Black has ${score.black} points, White ${score.white} and komi ${komi}.`,
  },
];

const bug = [
  {
    title: 'Bugs', size: 4, black: 'c3 e4 e5', white: 'b4 b5 a4',
    text: 'Who cannot place a stone at the beginning of a turn wins. A bug is a connected set of stones of one colour. A turn places a stone. It may begin a new bug everywhere: on a cell that touches none of your own stones.',
    task: 'Place a black stone that begins a new bug.',
    right: (after, before, [cell]) => !before.touches(cell, 'B'),
    wrong: (after, before, [cell]) => `${before.name(cell)} touches a black stone, so that bug has grown.`, done: () => 'Black has three bugs now.',
  },
  {
    title: 'Growing', size: 4, black: 'd3 d4 b4', white: 'f2 f3',
    text: 'A stone may also make a bug larger, but only a bug that is smaller than the largest one on the board, of either colour.',
    task: 'The largest bugs have two stones. Choose an empty cell where Black may not place a stone.',
    cell: true, right: isShut, wrong: notShut, done: (at, cell) => `${at.name(cell)} touches a bug of the largest size.`,
  },
  {
    title: 'No merging', size: 4, black: 'd3 d5', white: 'f2 f3 f4',
    text: 'Your bugs never merge: a stone may touch at most one of them.',
    task: 'Choose the empty cell where Black may not place a stone.',
    cell: true, right: isShut, wrong: notShut, done: (at, cell) => `${at.name(cell)} touches both black bugs.`,
  },
  {
    title: 'Eating', size: 3, black: 'c5', white: 'c3 e3',
    text: 'After your stone your bugs eat. A bug that touches enemy bugs of its own shape and size removes them, and grows by one cell, which you choose.',
    task: 'Place a black stone that eats, and then choose where it grows.', goesOn: 'It eats. Choose one of the marked cells, where the bug grows.',
    right: (after, before) => after.count('W') < before.count('W'),
    wrong: (after, before, [cell]) => `The bug on ${before.name(cell)} touches no white bug of its own shape and size.`, done: () => 'The bug has eaten both white stones, and grown by one cell.',
  },
  {
    title: 'Shapes', size: 4, black: 'd5 e4', white: 'e2 d2 c1 a2 b2 c3',
    text: 'Only bugs of the same shape can be eaten. It may be turned or mirrored: a line eats lines, a bent bug bent ones.',
    task: 'Make the black bug larger, so that it eats a white bug.', goesOn: 'It eats. Choose one of the marked cells, where the bug grows.',
    right: (after, before) => after.count('W') < before.count('W'),
    wrong: (after, before, [cell]) => `With ${before.name(cell)} no black bug touches a white one of its own shape.`, done: () => 'Both bugs were bent in the same way.',
  },
  {
    title: 'The end', size: 2, black: 'c2 b1 a2', white: 'b2 a1', to: 'W',
    text: 'Who cannot place a stone at the beginning of a turn wins. There are no draws.',
    task: 'White is to move. Every empty cell touches the white bug, and no bug is larger than that one. Who wins?',
    choices: sides, right: isWinner, wrong: (at) => `${COLOURS[at.position.toMove]} has no place for a stone, and wins for this reason.`,
    done: () => 'White has no place for a stone.',
  },
];

const sgolte = [
  {
    title: 'Placing', size: 4, black: 'e2 e4', white: 'b2 b3 b4',
    text: 'Who has no place for a stone at the beginning of a turn loses. A group is a connected set of stones of one colour. A turn places a stone. If it touches at most one of your own groups, the turn ends.',
    task: 'Place a black stone that ends the turn.', merges: 'That stone joins two black groups, so the turn would go on.',
    right: (after, before) => after.count('W') === before.count('W'),
    wrong: () => '', done: () => 'It is White’s turn now.',
  },
  {
    title: 'Merging', size: 4, black: 'e2 e4', white: 'c2 c3 a1 g4',
    text: 'A stone that touches two or more of your groups merges them. Then you must split an enemy group by capturing stones of it. If no enemy group can be split, you may not merge.',
    task: 'No white group can be split here. Choose the empty cell where Black may not place a stone.',
    cell: true, right: isShut, wrong: notShut, done: whyShut,
  },
  {
    title: 'Splitting', size: 4, black: 'e2 e4', white: 'b2 b3 b4 g1 g2 f2 d6 d7', begun: ['e3'],
    text: 'You capture stones of one enemy group, one by one, until it falls into parts. Only the last one may split it. A pair of stones and a triangle cannot be split.',
    task: 'Black has merged two groups by e3. Choose the white stone that Black can capture.',
    cell: true, right: (at, cell) => at.legal.has(cell),
    wrong: (at, cell) => (at.position.stones[cell] === 'W' ? `Without ${at.name(cell)} its group stays in one piece, and what is left cannot be split.` : 'Look for a white stone.'),
    done: (at, cell) => `Without ${at.name(cell)} its group falls into two parts.`,
  },
  {
    title: 'A whole turn', size: 4, black: 'e2 e4', white: 'b2 b3 b4',
    text: 'At the end of the turn you place as many stones as you have captured, each where it touches at most one of your groups. So a turn adds one stone to the board, whatever it does.',
    task: 'Merge the black groups, capture, and place a stone again.', goesOn: 'The turn goes on with one of the marked cells.',
    right: (after, before) => after.count('W') < before.count('W'),
    wrong: () => 'That stone joins nothing. Look for the cell between the two black groups.', done: () => 'Black has joined two groups, and White’s is split.',
  },
  {
    title: 'Several stones', size: 4, black: 'f2 f4', white: 'c1 c2 c3 c4 c5',
    text: 'The first stones that you capture must leave the group connected: take them from its ends. The more you capture, the more you may place.',
    task: 'Merge the black groups, and capture at least two stones.', goesOn: 'The turn goes on with one of the marked cells.',
    right: (after, before) => before.count('W') - after.count('W') >= 2,
    wrong: (after, before) => (after.count('W') === before.count('W') ? 'That stone joins nothing. Look for the cell between the two black groups.' : 'The first stone has split the group, so that was all. Begin at an end of the line.'),
    done: (after, before) => `Black has captured ${before.count('W') - after.count('W')} stones and placed as many again.`,
  },
  {
    title: 'The end', size: 2, black: 'c1 a2 b3', white: 'c2 a1 b1',
    text: 'Who has no place for a stone at the beginning of a turn loses. There are no draws.',
    task: 'Black is to move, and may not place a stone in the middle: it would join groups, and no white group can be split. Who wins?',
    choices: sides, right: isWinner, wrong: (at) => `${COLOURS[at.position.toMove]} has no place for a stone, and loses for this reason.`,
    done: () => 'Black has no place for a stone.',
  },
];

export const LESSONS = { stigmergy, bug, sgolte };
