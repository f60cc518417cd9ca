// Stands in for `fetch` where there is no server: requests go to the worker (worker.js), and come back as responses.

const worker = new Worker(new URL('worker.js', import.meta.url), { type: 'module' });
const open = new Map(); // number of a request -> {resolve, reject, controller}
const encoder = new TextEncoder();
let last = 0, failed = null;

function fail(text) {
  failed = new Error(`the engine cannot start: ${text}`);
  for (const { reject, controller } of open.values()) {
    reject(failed);
    controller?.error(failed);
  }
  open.clear();
}

// The answer to a request: a whole one, or the begin of a stream.
function settle(id, request, { status, text }) {
  const headers = { 'Content-Type': text === undefined ? 'text/event-stream' : 'application/json' };
  if (text !== undefined) open.delete(id);
  const body = text ?? new ReadableStream({
    start: (controller) => { request.controller = controller; },
    cancel: () => giveUp(id),
  });
  request.resolve(new Response(body, { status, headers }));
}

worker.onmessage = ({ data }) => {
  const request = open.get(data.id);
  if (data.failed) fail(data.failed);
  else if (!request) return; // it was given up
  else if (data.events) request.controller.enqueue(encoder.encode(data.events));
  else if (data.end) {
    open.delete(data.id);
    request.controller.close();
  } else settle(data.id, request, data);
};
worker.onerror = (event) => fail(event.message || 'its worker does not load');

function giveUp(id) {
  open.delete(id);
  worker.postMessage({ id, abort: true });
}

export function request(path, { method = 'GET', body = '', signal } = {}) {
  return new Promise((resolve, reject) => {
    if (failed) throw failed;
    signal?.throwIfAborted();
    const id = ++last, entry = { resolve, reject };
    signal?.addEventListener('abort', () => {
      if (!open.has(id)) return;
      giveUp(id);
      reject(signal.reason);
      entry.controller?.error(signal.reason);
    });
    open.set(id, entry);
    worker.postMessage({ id, method, path: `/${path}`, body });
  });
}

// After the first visit the page works without a network.
navigator.serviceWorker?.register('offline.js').catch(() => { /* from a file or an unsafe address: online only */ });
