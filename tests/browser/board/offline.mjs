// What only the page without a server does.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { serveFolder } from '../static.mjs';
import { agreed, binary } from '../board_game.mjs';

// Waits until what the host has now is kept, or was refused.
function settled(page) {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    await registration.update();
    const worker = registration.installing ?? registration.waiting ?? registration.active, ends = ['activated', 'redundant'];
    while (!ends.includes(worker.state)) await new Promise((done) => { worker.addEventListener('statechange', done, { once: true }); });
  });
}

export const tests = {
  // After the first visit the page needs no network: it loads, the computer moves, a position is analysed.
  async offline(game) {
    const { page } = game, host = await serveFolder(binary);
    await page.goto(host.address);
    await page.evaluate(() => navigator.serviceWorker.ready);
    assert.equal(host.requests.filter((path) => path === '/main.js').length, 2); // one for the page, and one that is new
    host.close();
    await page.context().setOffline(true);
    await page.reload();
    await page.waitForSelector('body[data-ready]');
    await game.start({ size: 3, level: 3, komi: 4, checks: [agreed, { name: 'side', value: 'W' }] });
    await game.turn(1);
    await page.click('#analyse');
    await page.locator('.candidate').first().waitFor();
    await page.context().setOffline(false);
  },

  // Two copies of the page on one host keep their files apart. What was kept of an older version of a copy goes.
  async 'two copies'(game) {
    const { page } = game, folder = mkdtempSync(join(tmpdir(), 'stigmergy-copies-'));
    symlinkSync(resolve(binary), join(folder, 'first'));
    mkdirSync(join(folder, 'second'));
    for (const name of readdirSync(binary)) if (name !== 'offline.js') symlinkSync(resolve(binary, name), join(folder, 'second', name));
    writeFileSync(join(folder, 'second/offline.js'), // of another version
      readFileSync(join(binary, 'offline.js'), 'utf8').replace('stigmergy-', 'stigmergy-0.'));
    const host = await serveFolder(folder), copies = ['first', 'second'].map((name) => `${host.address}${name}/`);
    try {
      for (const address of copies) {
        await page.goto(address);
        await page.waitForSelector('body[data-ready]');
        await settled(page);
        await page.evaluate(async (other) => (await caches.keys()).length === 1 && (await caches.open('stigmergy-0.1')).add(other), copies[1]);
      }
      assert.deepEqual((await page.evaluate(() => caches.keys())).map((name) => name.split(' ')[1]), copies);
      host.close();
      await page.context().setOffline(true);
      for (const address of copies) {
        await page.goto(address);
        await page.waitForSelector('body[data-ready]');
      }
      await page.context().setOffline(false);
    } finally {
      host.close();
      rmSync(folder, { recursive: true });
    }
  },

  // A visit while a new version is being uploaded keeps the old one; one after it has the new one.
  async 'visit during an upload'(game) {
    const { page } = game, folder = mkdtempSync(join(tmpdir(), 'stigmergy-upload-'));
    cpSync(binary, folder, { recursive: true, dereference: true });
    const read = (name) => readFileSync(join(folder, name), 'utf8'), put = (name, text) => writeFileSync(join(folder, name), text);
    const hash = (text) => createHash('sha256').update(text).digest('base64');
    const news = { 'main.js': `import { news } from './status.js';\n${read('main.js')}\ndocument.body.dataset.news = news;\n`, 'status.js': `${read('status.js')}\nexport const news = 'here';\n` };
    const host = await serveFolder(folder);
    try {
      await page.goto(host.address);
      await page.waitForSelector('body[data-ready]');
      await settled(page);
      const lists = Object.entries(news).reduce((text, [name, is]) => text.replace(hash(read(name)), hash(is)), read('offline.js'));
      put('offline.js', lists.replace('stigmergy-', 'stigmergy-9.'));
      put('main.js', news['main.js']);
      for (const isComplete of [false, true]) {
        if (isComplete) put('status.js', news['status.js']);
        await page.goto(host.address);
        await page.waitForSelector('body[data-ready]');
        await settled(page);
        await page.reload();
        await page.waitForSelector(`body[data-ready]${isComplete ? '[data-news=here]' : ':not([data-news])'}`);
      }
    } finally {
      host.close();
      rmSync(folder, { recursive: true });
    }
  },

  // A host may lead index.html to its folder: browsers show nothing that was kept as it came from there.
  async 'redirected page'(game) {
    const { page } = game, host = await serveFolder(binary, { '/index.html': '/' }), address = `${host.address}index.html`;
    await page.goto(address);
    await page.waitForSelector('body[data-ready]');
    await settled(page);
    host.close();
    await page.context().setOffline(true);
    await page.goto(address);
    await page.waitForSelector('body[data-ready]');
    await page.context().setOffline(false);
  },

  // The page without a server comes with the published results; New game links to them.
  async results(game) {
    const { page } = game;
    const [atlas] = await Promise.all([page.context().waitForEvent('page'), page.click('#komi-source a')]);
    await atlas.locator('#atlas tr.chosen', { hasText: 'hexhex-8' }).waitFor();
    await atlas.locator('.origin a[download]').nth(7).waitFor(); // the page is large, its end comes late
    await atlas.close();
  },
};
