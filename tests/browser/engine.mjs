// The engine as WebAssembly, in short steps, gives the answers of the native program, to the bit:
//
//   node engine.mjs BINARY PAGE [--measure]     PAGE: the folder that tools/page/build.sh has made; --measure: speeds too

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [binary, folder, measure] = process.argv.slice(2);
const { Engine } = await import(pathToFileURL(join(folder, 'engine.js')));
const names = JSON.parse(readFileSync(join(folder, 'data/files.json')));
const files = new Map(names.map((name) => [`data/${name}`, new Uint8Array(readFileSync(join(folder, 'data', name)))]));
const engine = await Engine.start(new WebAssembly.Module(readFileSync(join(folder, 'stigmergy.wasm'))), files);

const queries = [
  { size: 5, komi: 3, moves: ['e5', 'd4'], maxSims: 400 },
  { size: 8, moves: ['h8'], maxSims: 200, includeControl: true },
  { size: 3, moves: ['c3', 'd2', 'b4'], komi: 4, maxSims: 3000 },
  { size: 3, komi: 5, maxSims: 3000 }, // too hard for the solver
  { size: 3, moves: ['c3'], komi: 7, maxSims: 1600 }, // it proves this with carriers only
  { game: 'bug', size: 4, maxSims: 400 },
  { game: 'sgolte', size: 4, pie: 'off', maxSims: 300 },
].map((query, i) => ({ id: `query-${i}`, seed: '7', includePolicy: true, ...query }));

function ask(query, step = 0.001) {
  const { stream, text } = engine.request('POST', '/api/analysis', JSON.stringify(query));
  assert.notEqual(stream, undefined, text);
  let events = '';
  for (let part = ''; part !== null; part = engine.read(stream)) {
    events += part;
    engine.step(step);
  }
  engine.close(stream);
  return JSON.parse(events.trim().replace(/^data: /, ''));
}

const input = queries.map((query) => JSON.stringify(query)).join('\n');
const native = execFileSync(binary, ['analyze', '--threads', '1'], { input, encoding: 'utf8' })
  .trim().split('\n').map((line) => JSON.parse(line));
for (const query of queries) {
  assert.deepEqual(ask(query), native.find((answer) => answer.id === query.id));
  console.log(`ok the same answer: ${JSON.stringify(query)}`);
}

// Answers that wait come whole. The second block of 64 KiB begins with a colon, as a comment would.
const BLOCK = 1 << 16, turns = ['j10', 'i9', 'h8', 'g7', 'f6', 'e5', 'd4', 'c3', 'b2', 'a1'];
function waiting(id) {
  const query = { id, size: 10, moves: turns, analyzeTurns: [...turns.keys()], maxSims: 1, includeControl: true, includePolicy: true };
  const { stream } = engine.request('POST', '/api/analysis', JSON.stringify(query));
  while (engine.step(10));
  const events = engine.read(stream);
  assert.equal(engine.read(stream), null);
  engine.close(stream);
  return events;
}
const short = waiting('x'), away = (colon) => BLOCK - colon.index; // each letter of the id moves the last answer by one for each turn
const colon = [...short.matchAll(/:/g)].findLast((found) => away(found) >= 0 && away(found) % turns.length === 0);
const long = waiting('x'.repeat(1 + away(colon) / turns.length));
assert.equal(long[BLOCK], ':');
assert.deepEqual(long.trim().split('\n\n').map((event) => JSON.parse(event.replace('data: ', '')).turnNumber), [...turns.keys()]);
console.log('ok long answers');

// What is wrong is said, and the engine goes on.
assert.equal(engine.request('POST', '/api/position', '{"size": 99}').status, 400);
assert.equal(engine.request('GET', '/api/nothing').status, 404);
assert.equal(engine.request('GET', '/api/board/4').status, 200);

// A search is given up; another one goes on.
const given = engine.request('POST', '/api/analysis', JSON.stringify({ id: 'long', size: 8, maxTime: 1000 }));
engine.step(0.01);
engine.close(given.stream);
assert.equal(ask({ id: 'after', size: 3, maxSims: 50 }).id, 'after');
for (let steps = 0; engine.step(0.01); steps++) assert.ok(steps < 100, 'a search that was given up goes on');
console.log('ok errors, and a search that is given up');

if (measure) {
  for (const size of [4, 7, 10]) {
    const count = 65536 >> (size / 3), begin = performance.now();
    engine.calls.page_playouts(size, count);
    const here = count / (performance.now() - begin) * 1000;
    const bench = JSON.parse(execFileSync(binary, ['bench', '--size', String(size), '--kernel', 'plain', '--seconds', '1', '--json'], { encoding: 'utf8' }));
    const there = bench.playout.playouts_per_second;
    console.log(`hexhex-${size}: ${here.toFixed(0)} playouts a second, native plain kernel ${there.toFixed(0)}, ratio ${(here / there).toFixed(2)}`);
  }
  for (const size of [5, 8]) {
    const { rootInfo } = ask({ id: 'speed', size, maxTime: 5 }, 10);
    console.log(`hexhex-${size}: ${(rootInfo.sims / 5).toFixed(0)} simulations a second from the start`);
  }
  console.log(`${(engine.memory() / 1e6).toFixed(0)} MB of memory`);
}
