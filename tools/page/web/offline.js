// Keeps all files of the page, so that it works offline after the first visit. The build puts in their names with the
// SHA-256 of each, and a name for this set of them; a page that has changed has another name, and its files replace the
// old ones. While the host still has others, as in the middle of an upload, nothing is kept, and the next visit tries
// again. A host may have several copies of the page, in folders of their own: each has its own files.

const NAME = `@NAME@ ${registration.scope}`, FILES = { @FILES@ };

// From the host, not from what the browser has of older pages.
const requests = () => Object.entries(FILES).map(([file, hash]) => new Request(file, { cache: 'reload', integrity: `sha256-${hash}` }));

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(NAME).then((cache) => cache.addAll(requests())).then(() => self.skipWaiting()));
});

// What is kept of this copy has its address.
async function isOlder(name) {
  return name.startsWith('stigmergy-') && name !== NAME && await caches.match(registration.scope, { cacheName: name });
}

async function dropOthers() {
  for (const name of await caches.keys()) if (await isOlder(name)) await caches.delete(name);
  await self.clients.claim();
}

self.addEventListener('activate', (event) => event.waitUntil(dropOthers()));

// Browsers show no page from an answer that came over a redirect, as from a host that leads index.html to its folder.
const direct = (kept) => (kept?.redirected ? new Response(kept.body, { status: kept.status, headers: kept.headers }) : kept);

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true, cacheName: NAME }).then((kept) => direct(kept) ?? fetch(event.request)));
});
