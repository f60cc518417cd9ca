// Talking to the server, where there is one (tools/page has local.js in the place of this file). Two things differ from
// `fetch`.
//
// A server that is gone: the request is sent again until there is an answer. All requests may be sent twice: the server
// keeps nothing but searches, and of these the answers that the page does not say it has. So it is where the server
// refuses us: it was started anew, and its address has another token now. Events of `connection` tell the page: `gone`
// (detail: gone or refused), and `back`.
//
// An analysis: a browser opens at most six connections to a server, for all its tabs together. So the answers are asked
// for piece by piece (tools/serve/searches.h), and come from here as the stream that they are.

const AGAIN = 1000; // milliseconds between attempts

export const connection = new EventTarget();
let asking = 0; // requests that are under way, or wait for the server
let trouble = ''; // what the page was told

function tell(kind) {
  if (trouble === kind) return;
  trouble = kind;
  connection.dispatchEvent(new CustomEvent(kind ? 'gone' : 'back', { detail: kind }));
}

function pause(signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, AGAIN);
    signal?.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
}

// The whole answer is read here: a server may also be gone before the end of it. Where there is none: why.
async function attempt(path, options) {
  try {
    const response = await fetch(path, options), empty = response.status === 204;
    if (response.status === 403) return 'refused';
    return new Response(empty ? null : await response.arrayBuffer(), { status: response.status, headers: response.headers });
  } catch (error) {
    if (!(error instanceof TypeError) || options.signal?.aborted) throw error; // a TypeError: there is no network
    return 'gone';
  }
}

// A signal of the options gives up a request that is under way; `signal` ends the attempts. Where the last request is given
// up while there is trouble, the page itself asks, to learn when the server is back.
async function persist(path, options, signal = options.signal) {
  asking++;
  try {
    for (;;) {
      const answer = await attempt(path, options), isThere = answer instanceof Response;
      tell(isThere ? '' : answer);
      if (isThere) return answer;
      await pause(signal);
    }
  } finally {
    if (--asking === 0 && trouble) persist('api/setup', {});
  }
}

let stopping = Promise.resolve(); // all searches that this page has stopped: the next one begins after them

// A search on the server: a stream of its answers. It begins again where a new server does not know it, and where the
// browser shows a page again that was left.
class Search {
  constructor(options) {
    this.options = options;
    this.leave = () => { stopping = Promise.all([stopping, this.stop()]); };
    this.asking = new AbortController();
    this.begun = null; // the answer to the order for it
    this.place = '';
    this.had = 0; // bytes of its answers
  }

  // Starts it; returns the answer.
  async begin() {
    const { signal } = this.options;
    await stopping;
    signal?.throwIfAborted();
    this.begun = this.order();
    const response = await this.begun;
    signal?.throwIfAborted();
    return response;
  }

  // The order is not given up while it is under way: only its answer has the name by which the search can be stopped.
  async order() {
    const { signal, ...options } = this.options, response = await persist('api/search', options, signal);
    this.place = response.ok ? `api/search/${(await response.json()).search}` : '';
    this.had = 0;
    return response;
  }

  // The question that is under way is given up first: its answer would be that there is no such search.
  async stop() {
    this.asking.abort(this.options.signal?.reason);
    await this.begun?.catch(() => { /* it was given up: then there is no search */ });
    if (this.place) await fetch(this.place, { method: 'DELETE', keepalive: true }).catch(() => { /* it is gone: then the search is, too */ });
  }

  // The next answers; null if the page was left meanwhile, and is shown again.
  async ask() {
    try {
      return await persist(`${this.place}?after=${this.had}`, { signal: this.asking.signal });
    } catch (error) {
      if (this.options.signal?.aborted || !this.asking.signal.aborted) throw error;
      await new Promise((resolve) => { addEventListener('pageshow', resolve, { once: true }); });
      this.asking = new AbortController();
      return null;
    }
  }

  // Puts the answers into a stream, until the last one.
  async pass(stream) {
    for (;;) {
      let response = await this.ask();
      if (response?.status === 204) return stream.close();
      if (!response || response.status === 404) response = await this.begin();
      else if (response.ok) {
        const answers = new Uint8Array(await response.arrayBuffer());
        this.had += answers.length;
        stream.enqueue(answers);
      }
      if (!response.ok) throw Object.assign(new Error((await response.json()).error), { status: response.status });
    }
  }

  // Ends with the search, with the signal, or with the page.
  async run(stream) {
    addEventListener('pagehide', this.leave);
    await this.pass(stream).catch((error) => stream.error(error));
    this.options.signal?.removeEventListener('abort', this.leave);
    removeEventListener('pagehide', this.leave);
  }
}

async function analysis(options) {
  const search = new Search(options);
  options.signal?.addEventListener('abort', search.leave, { once: true });
  const response = await search.begin();
  if (!response.ok) return response;
  return new Response(new ReadableStream({ start: (stream) => { search.run(stream); } }), { headers: { 'Content-Type': 'text/event-stream' } });
}

export const request = (path, options = {}) => (path === 'api/analysis' ? analysis(options) : persist(path, options));
