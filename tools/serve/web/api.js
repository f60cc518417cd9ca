// Questions to the engine: JSON requests, and analyses whose answers come as a stream of server-sent events. The server
// answers them (remote.js). A page without a server (tools/page) says so in its first line, and has a worker instead.

const { request, connection: server } = await import(document.documentElement.dataset.engine === 'worker' ? './local.js' : './remote.js');

// Where the server goes away and comes back: events `gone` and `back`.
export const connection = server ?? new EventTarget();

async function failure(response) {
  let text = `the server answered ${response.status}`;
  try {
    text = (await response.json()).error || text;
  } catch { /* no JSON: the status says enough */ }
  const error = new Error(text);
  error.status = response.status;
  return error;
}

export async function get(path) {
  const response = await request(path);
  if (!response.ok) throw await failure(response);
  return response.json();
}

async function send(path, body, signal) {
  const response = await request(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  });
  if (!response.ok) throw await failure(response);
  return response;
}

export async function post(path, body, signal) {
  return (await send(path, body, signal)).json();
}

// Runs a query of the analysis protocol and calls `take` with each answer. Ends with the last one, or when `signal`
// aborts it (which stops the search on the server).
export async function analyse(query, take, signal) {
  const response = await send('api/analysis', { id: 'page', ...query }, signal);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const events = text.split('\n\n');
    text = events.pop();
    for (const event of events)
      if (event.startsWith('data: ')) take(JSON.parse(event.slice(6)));
  }
}

// The last answer of a query of one position.
export async function analyseOnce(query, signal) {
  let last = null;
  await analyse(query, (answer) => { last = answer; }, signal);
  if (!last || last.error || last.noResults) throw new Error(last?.error || 'the search was stopped');
  return last;
}

export const isAbort = (error) => error.name === 'AbortError';
