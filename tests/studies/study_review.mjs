// How stable a review is: reviews games twice with different seeds and compares the worst mistakes that it lists.
//
//     node study_review.mjs STIGMERGY [--games 20] [--size 5] [--level 3,5] [--seconds 2] [--factor 1] [--seed 1]
//
// Games are played by `stigmergy match` between two levels and reviewed as the page does it (tools/serve/web/judge.js),
// by `stigmergy analyze`. Both reviews run side by side, each by one thread: 2 seconds a position are what one second by
// two threads is. With --factor the second review has that many times as long. A line for each game: the mistakes of
// both reviews by their number, how many are the same, and the seconds that a review took. At the end: in how many games
// the five worst are the same ones. Node.js 18 needs the option --experimental-default-type=module.

import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Judge, LISTED, mistakesOf } from '../../tools/serve/web/judge.js';
import { GameTree } from '../../tools/serve/web/tree.js';

const [binary, ...rest] = process.argv.slice(2);
const options = { games: 20, size: 5, level: '3,5', seconds: 2, factor: 1, seed: 1 };
for (let i = 0; i < rest.length; i += 2) {
  const key = rest[i].replace(/^--/, '');
  if (!(key in options) || rest[i + 1] === undefined) throw new Error(`${rest[i]}: expected one of --${Object.keys(options).join(', --')} and a value`);
  options[key] = key === 'level' ? rest[i + 1] : Number(rest[i + 1]);
}

// The games, as records.
function playGames() {
  const folder = mkdtempSync(join(tmpdir(), 'review-'));
  const players = options.level.split(',').flatMap((level) => ['--player', `level-${level}`]);
  const out = join(folder, 'match.json');
  const { status, stderr } = spawnSync(binary, ['match', '--size', String(options.size), '--komi', '6', '--games', String(options.games),
    '--openings', '1', '--seed', String(options.seed), ...players, '--out', out], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  const records = readFileSync(join(folder, 'match.records.jsonl'), 'utf8').trim().split('\n').map((line) => JSON.parse(line));
  rmSync(folder, { recursive: true });
  return records;
}

class Engine {
  constructor() {
    this.process = spawn(binary, ['analyze', '--threads', '1'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.waiting = new Map();
    this.number = 0;
    createInterface({ input: this.process.stdout }).on('line', (line) => {
      const answer = JSON.parse(line);
      if (answer.error) throw new Error(line);
      this.waiting.get(answer.id)?.(answer);
    });
  }

  ask(query) {
    const id = String(this.number++);
    return new Promise((resolve) => {
      this.waiting.set(id, resolve);
      this.process.stdin.write(`${JSON.stringify({ id, ...query })}\n`);
    });
  }

  end() {
    this.process.stdin.end();
  }
}

async function review(engine, record, seed, seconds) {
  const tree = new GameTree();
  let node = tree.root;
  for (const turn of record.moves) node = tree.add(node, turn);
  const search = async (at, turn, limit, number) => {
    const moves = [...GameTree.turns(at), ...(turn ? [turn] : [])];
    const { rootInfo, moveInfos } = await engine.ask({ game: record.game ?? 'stigmergy', size: options.size, komi: record.komi, moves, ...limit, seed: number });
    return { ...rootInfo, moves: moveInfos };
  };
  const line = GameTree.line(tree.root), judge = new Judge({ search, seed: 1e6 * seed });
  const begin = performance.now(), noise = await judge.review(line, { maxTime: seconds });
  return { mistakes: mistakesOf(line, noise / 2).slice(0, LISTED), noise, seconds: (performance.now() - begin) / 1000 };
}

const engines = [new Engine(), new Engine()];
const share = []; // of the worst of one review that the other one has, too
let same = 0;
for (const [number, record] of playGames().entries()) {
  const runs = await Promise.all(engines.map((engine, i) => review(engine, record, i + 1, options.seconds * options.factor ** i)));
  const [first, second] = runs.map(({ mistakes }) => mistakes.map(({ node }) => node.depth));
  const common = first.filter((depth) => second.includes(depth)).length, longest = Math.max(first.length, second.length);
  same += common === longest;
  share.push(longest ? common / longest : 1);
  const text = ({ mistakes }) => mistakes.map(({ node, cost }) => `${node.depth}(${(100 * cost.chance).toFixed(0)})`).join(' ');
  console.log(`game ${number + 1}, ${record.moves.length} turns: ${runs.map(text).join(' | ')}: ${common} of ${longest}, ` +
    `noise ${runs.map(({ noise }) => (100 * noise).toFixed(1)).join(', ')}, ${runs[0].seconds.toFixed(0)} s`);
}
for (const engine of engines) engine.end();
console.log(`the same ${LISTED} worst mistakes in ${same} of ${share.length} games; ${(100 * share.reduce((a, b) => a + b, 0) / share.length).toFixed(0)}% of them in both reviews`);
