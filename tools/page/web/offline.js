// Keeps all files of the page, so that it works offline after the first visit. The build puts in their names and a name
// for this set of them; a page that has changed has another name, and its files replace the old ones. A host may have
// several copies of the page, in folders of their own: each has its own files.

const NAME = `@NAME@ ${registration.scope}`, FILES = ['./', ...@FILES@];

// From the host, not from what the browser has of older pages.
const requests = () => FILES.map((file) => new Request(file, { cache: 'reload' }));

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

self.addEventListener('fetch', (event) => {
  if (event.request.method !== 'GET') return;
  event.respondWith(caches.match(event.request, { ignoreSearch: true, cacheName: NAME }).then((kept) => kept ?? fetch(event.request)));
});
