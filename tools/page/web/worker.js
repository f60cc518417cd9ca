// The page's worker: it has the engine, so that the page never waits for a search. Messages from the page (local.js):
// {id, method, path, body} asks, {id, abort: true} gives up. To the page: {id, status, text}, or for a stream {id, status}
// and then {id, events}, {id, end: true}. {failed} says why there is no engine.

import { Engine } from './engine.js';

const STEP = 0.03; // seconds of search before the worker looks for messages again
const streams = new Map(); // number of a request -> number of its stream
const turn = new MessageChannel(); // a message to itself lets others come first
let engine = null, busy = false;
const waiting = []; // requests from before the engine was there

async function load(path) {
  const response = await fetch(path);
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function start() {
  const [program, list] = await Promise.all([load('stigmergy.wasm'), load('data/files.json')]);
  const names = JSON.parse(new TextDecoder().decode(list));
  const files = new Map(await Promise.all(names.map(async (name) => [`data/${name}`, await load(`data/${name}`)])));
  engine = await Engine.start(await WebAssembly.compile(program), files);
}

// Passes on what streams have. A stream that has ended is closed.
function passOn() {
  for (const [id, stream] of streams) {
    const events = engine.read(stream);
    if (events) postMessage({ id, events });
    if (events === null) {
      close(id);
      postMessage({ id, end: true });
    }
  }
}

function close(id) {
  engine.close(streams.get(id));
  streams.delete(id);
}

function work() {
  busy = engine.step(STEP);
  passOn();
  if (busy || streams.size) turn.port1.postMessage(null);
  busy ||= streams.size > 0;
}
turn.port2.onmessage = work;

function answer({ id, method, path, body, abort }) {
  if (abort) {
    if (streams.has(id)) close(id);
    return;
  }
  const { status, text, stream } = engine.request(method, path, body);
  if (stream === undefined) {
    postMessage({ id, status, text });
    return;
  }
  streams.set(id, stream);
  postMessage({ id, status: 200 });
  if (!busy) {
    busy = true;
    turn.port1.postMessage(null);
  }
}

onmessage = ({ data }) => {
  if (engine) answer(data);
  else waiting.push(data);
};

start().then(() => waiting.splice(0).forEach(answer), (error) => postMessage({ failed: error.message }));
