// A web host of the simplest kind: files of a folder, and nothing else. Browsers may keep them for a while.

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { once } from 'node:events';
import { extname, join, normalize } from 'node:path';

const types = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml',
  '.json': 'application/json', '.wasm': 'application/wasm' };

// Serves a folder at an address of its own: {address, requests (their paths), close}. `redirects` leads from paths to others.
export async function serveFolder(folder, redirects = {}) {
  const requests = [];
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://host').pathname);
    requests.push(path);
    if (redirects[path]) return response.writeHead(308, { Location: redirects[path] }).end();
    try {
      const bytes = await readFile(join(folder, path.endsWith('/') ? `${path}index.html` : path));
      response.writeHead(200, { 'Content-Type': types[extname(path)] ?? (path.endsWith('/') ? types['.html'] : 'application/octet-stream'), 'Cache-Control': 'max-age=600' });
      response.end(bytes);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { address: `http://127.0.0.1:${server.address().port}/`, requests, close: () => { server.closeAllConnections(); server.close(); } };
}
