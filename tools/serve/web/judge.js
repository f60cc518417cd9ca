// What the turns of a game cost, and how a review finds out: every position is searched, then the turns that seem to be
// mistakes are searched again, for longer. No page in here: tests/studies/study_review.mjs runs it too.
//
// The first search of a turn compares the positions before and after it. That is noisy, and the largest of many noisy
// losses are mostly noise. So the check compares two positions of the same kind that are searched equally long: after
// the turn that was played, and after the one that the search finds better. What is left is the loss that is shown, and
// the better turn is one that this search has confirmed.

export const LISTED = 5, MISTAKE = 0.03;
const SUSPECT = 0.02; // a smaller loss by the first search is not checked
const LONGER = 4; // the check of a turn, in terms of the first search
const CHECKS = 12; // turns that are checked, at most
const SCALE = 0.25; // of the accuracy: a turn that loses so much has 1/e of it

// Chance and lead of the colour, from Black's.
export const chanceOf = (colour, black) => (colour === 'B' ? black : 1 - black);
const leadOf = (colour, black) => (colour === 'B' ? black : -black);

// What was found after a turn, in the colours before it: a swap gives the black stones to the other player.
export function seenBefore(turn, found) {
  if (turn !== 'swap' || !found) return found;
  const { winrate, scoreLead } = found;
  return { ...found, winrate: 1 - winrate, scoreLead: scoreLead === null ? null : -scoreLead };
}

const difference = (of, colour, better, worse) =>
  (better === null || worse === null ? null : Math.max(0, of(colour, better) - of(colour, worse)));

// {chance, points, better, checked} that a turn lost, for the one who made it; points are null in games without, and the
// whole is null where it is not known. A turn that turns out better than the search thought lost nothing.
export function costOf(node) {
  const before = node.parent?.analysis, after = seenBefore(node.turn, node.analysis);
  if (!before || !after) return null;
  const colour = before.currentPlayer, best = before.moves[0]?.move;
  if (node.checked) return { ...node.checked, colour, checked: true };
  return {
    colour, better: best === node.turn ? null : best ?? null, checked: false,
    chance: difference(chanceOf, colour, before.winrate, after.winrate),
    points: difference(leadOf, colour, before.scoreLead, after.scoreLead),
  };
}

export const lossOf = (node) => costOf(node)?.chance ?? null;

// How bad a loss is: 0 none, 1 a little, 2 a mistake, 3 a blunder.
export const rankOf = (loss) => (loss < 0.01 ? 0 : loss < 0.03 ? 1 : loss < 0.08 ? 2 : 3);

export const hasSwap = (line) => line.some(({ turn }) => turn === 'swap');

// {node, cost} of the turns of a line whose cost is known. `cost.player` names the player by the colour that he has at the
// end of the line: with a swap both players change theirs.
function costsOf(line) {
  const swap = line.findIndex(({ turn }) => turn === 'swap'), other = { B: 'W', W: 'B' };
  return line.flatMap((node, i) => {
    const cost = costOf(node);
    return cost ? [{ node, cost: { ...cost, player: i <= swap ? other[cost.colour] : cost.colour } }] : [];
  });
}

// The mistakes of a line that a check has confirmed and that are above the noise, the worst first.
export function mistakesOf(line, noise = 0) {
  return costsOf(line).filter(({ cost }) => cost.checked && cost.better && cost.chance >= Math.max(MISTAKE, noise))
    .sort((a, b) => b.cost.chance - a.cost.chance || a.node.depth - b.node.depth);
}

// For each player (costsOf) {turns, accuracy (0 to 1), chance, points}: means of a turn.
export function playersOf(line) {
  const players = {}, known = costsOf(line).map(({ cost }) => cost);
  for (const player of ['B', 'W']) {
    const costs = known.filter((cost) => cost.player === player);
    const mean = (of) => costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length;
    players[player] = costs.length ? {
      turns: costs.length, accuracy: mean(({ chance }) => Math.exp(-chance / SCALE)), chance: mean(({ chance }) => chance),
      points: costs.some(({ points }) => points === null) ? null : mean(({ points }) => points),
    } : null;
  }
  return players;
}

// A limit is {maxTime} or {maxSims}; efforts are limits, too.
const times = (limit, factor) => Object.fromEntries(Object.entries(limit).map(([key, value]) => [key, value * factor]));
const isDone = (found, limit, factor) => Object.entries(limit).every(([key, value]) => found?.effort?.[key] >= value * factor);

export class Judge {
  // `search(node, turn, limit, seed)` finds the summary (analysis.js) of the position at a node, or after one more
  // turn. `update(done, of)` is called after every search.
  constructor({ search, update = () => {}, seed = 1 }) {
    Object.assign(this, { search, update, seed, done: 0, planned: 0 });
    this.doubts = []; // how far the second search of a position was from the first one
  }

  // Makes sure that a position was searched with this effort, `factor` times the limit.
  async look(node, limit, factor) {
    const known = node.analysis;
    if (known && (known.proven || isDone(known, limit, factor))) return known;
    const found = await this.find(node, null, limit, factor);
    if (known?.effort) this.doubts.push(found.winrate - known.winrate);
    if (!known || found.proven || !(known.sims > found.sims)) node.analysis = found;
    else known.effort = found.effort; // somebody looked at it for longer
    return node.analysis;
  }

  async find(node, turn, limit, factor) {
    const found = await this.search(node, turn, times(limit, factor), this.seed++);
    this.update(++this.done, this.planned);
    return { ...found, effort: times(limit, factor) };
  }

  // Searches again around a turn, and says what it cost.
  async check(node, limit) {
    const before = await this.look(node.parent, limit, LONGER), colour = before.currentPlayer, best = before.moves[0];
    const after = seenBefore(node.turn, await this.look(node, limit, LONGER));
    const effort = times(limit, LONGER);
    if (!best || best.move === node.turn) {
      node.checked = { chance: 0, points: 0, better: null, effort };
      return;
    }
    const isKnown = best.partial || best.proven;
    const better = isKnown ? best : seenBefore(best.move, await this.find(node.parent, best.move, limit, LONGER));
    if (better.proven && chanceOf(colour, better.winrate) === 1) { // so the position before it is proved, too
      const { winrate, scoreLead, proven } = better;
      for (const known of [before, best]) Object.assign(known, { winrate, scoreLead, proven });
    }
    node.checked = {
      chance: difference(chanceOf, colour, better.winrate, after.winrate),
      points: difference(leadOf, colour, better.scoreLead, after.scoreLead), better: best.move, effort,
      reached: chanceOf(colour, better.winrate), reply: best.pv ?? [best.move],
    };
  }

  // The suspect to check next: the greatest loss that is not checked, unless enough greater ones of that player are
  // confirmed.
  suspect(line, limit) {
    const costs = costsOf(line).map(({ node, cost }) => ({ node, ...cost })), isChecked = ({ node }) => isDone(node.checked, limit, LONGER);
    const open = costs.filter((cost) => !isChecked(cost) && cost.chance >= SUSPECT).sort((a, b) => b.chance - a.chance);
    const worse = ({ player, chance }) => costs.filter((cost) => isChecked(cost) && cost.player === player && cost.chance > chance + this.noise);
    return open.find((cost) => worse(cost).length < LISTED)?.node ?? null;
  }

  // Root mean square of the doubts.
  get noise() {
    const { doubts } = this;
    return doubts.length ? Math.sqrt(doubts.reduce((sum, doubt) => sum + doubt * doubt, 0) / doubts.length) : 0;
  }

  // Reviews a line of nodes; with a greater limit than before it goes deeper. Returns the noise of the first searches.
  async review(line, limit) {
    this.planned = line.length;
    for (const node of [...line].reverse()) await this.look(node, limit, 1); // the end first: it is cheap
    for (let i = 0; i < CHECKS; i++) {
      const node = this.suspect(line, limit);
      if (!node) break;
      this.planned = this.done + 3 * (CHECKS - i);
      await this.check(node, limit);
    }
    return this.noise;
  }
}

