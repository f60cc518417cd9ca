// How fast the board answers, in headless Chromium; a measurement, not a test:
//
//   node speed.mjs BINARY [--size 8] [--clicks 40] [--seconds 10]
//   node speed.mjs PAGE [...]              the page without a server in the folder PAGE (tools/setup.sh page)
//
// From the address to the page that is ready, for a new visitor, and what he loads. From a click to the frame that has its stone, and to the one that has all that the server says of the position, in a
// game of two people; then how often a second what the analysis says changes on the page, and clicks while it runs. For
// quiet machines.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { launch } from './browser.mjs';
import { serveFolder } from './static.mjs';

const [binary, ...rest] = process.argv.slice(2);
const options = { size: 8, clicks: 40, seconds: 10 };
for (let i = 0; i < rest.length; i += 2) {
  const key = rest[i].replace(/^--/, '');
  if (!(key in options) || rest[i + 1] === undefined) throw new Error(`${rest[i]}: expected one of --${Object.keys(options).join(', --')} and a value`);
  options[key] = Number(rest[i + 1]);
}

// The milliseconds from the next click to the end of the frame that shows a stone more, and of the one that shows the
// next position: {stone, position}; null if none comes.
function timeClick() {
  const stones = () => document.querySelectorAll('.stone:not(.ghost)').length, turn = () => document.body.dataset.turn;
  const before = stones(), turnBefore = turn();
  return new Promise((resolve) => {
    setTimeout(() => resolve(null), 1000);
    document.addEventListener('pointerup', ({ timeStamp }) => {
      const times = {}, { port1, port2 } = new MessageChannel();
      const seen = { stone: () => stones() > before, position: () => turn() !== turnBefore };
      const look = () => {
        const now = Object.keys(seen).filter((name) => !times[name] && seen[name]());
        port1.onmessage = () => { // the frame is drawn
          for (const name of now) times[name] = performance.now() - timeStamp;
          if (times.position) resolve(times);
          else requestAnimationFrame(look);
        };
        port2.postMessage(null);
      };
      requestAnimationFrame(look);
    }, { once: true, capture: true });
  });
}

let cell = 0; // the next to click

async function measureClicks(page, count, what) {
  const times = [];
  const cells = await page.locator('#board .cell').count(); // an odd number: steps of two come to all
  for (; times.length < count; cell = (cell + 2) % cells) {
    const time = page.evaluate(timeClick);
    await page.locator(`#cell-${cell} .ground`).click();
    if (await time !== null) times.push(await time); // else the cell is not legal
  }
  for (const name of ['stone', 'position']) {
    const sorted = times.map((time) => time[name]).sort((a, b) => a - b);
    const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(0);
    console.log(`${what}: ${sorted.length} clicks, ${name} after ${at(0.5)} ms (median), nine of ten within ${at(0.9)} ms, longest ${at(1)} ms`);
  }
}

// Counts the changes of what the analysis shows.
function countUpdates(seconds) {
  return new Promise((resolve) => {
    let updates = 0;
    const observer = new MutationObserver(() => { updates++; });
    observer.observe(document.querySelector('#search-state'), { childList: true, characterData: true, subtree: true });
    setTimeout(() => { observer.disconnect(); resolve(updates); }, 1000 * seconds);
  });
}

// How long a new visitor waits for the page, and the bytes of its files.
async function measureStart(browser, address, visits) {
  const times = [], files = new Map();
  for (let i = 0; i < visits; i++) {
    const context = await browser.newContext({ serviceWorkers: 'block' }), page = await context.newPage();
    const bodies = [];
    context.on('response', (response) => bodies.push(response.body().then((body) => files.set(response.url(), body), () => {}))); // a search's is not there
    const begin = performance.now();
    await page.goto(address);
    await page.waitForSelector('body[data-ready]');
    times.push(performance.now() - begin);
    await Promise.all(bodies);
    await context.close();
  }
  const of = (urls, size) => urls.reduce((sum, url) => sum + size(files.get(url)), 0), urls = [...files.keys()];
  console.log(`ready after ${times.sort((a, b) => a - b)[visits >> 1].toFixed(0)} ms (median of ${visits} new visitors)`);
  for (const [what, list] of [['files', urls], ['networks', urls.filter((url) => url.includes('/networks/'))]])
    console.log(`${list.length} ${what}: ${of(list, (body) => body.length)} bytes, packed ${of(list, (body) => gzipSync(body).length)}`);
}

async function serve() {
  if (statSync(binary).isDirectory()) return serveFolder(binary);
  const server = spawn(binary, ['serve', '--port', '0', '--threads', '2'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(server.stdout, 'data');
  return { address: String(line).trim(), close: () => server.kill() };
}

async function measure(browser, address) {
  await measureStart(browser, address, 5);
  const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
  await page.goto(address);
  await page.waitForSelector('body[data-ready]');
  if (!await page.locator('#new-dialog').isVisible()) await page.click('#new');
  await page.selectOption('#new-size', String(options.size));
  await page.check('#new-dialog input[value=person]');
  await page.check('#new-dialog input[value=fixed]');
  await page.click('#new-start');
  await page.locator('#new-dialog').waitFor({ state: 'hidden' });
  await page.waitForFunction((cells) => document.querySelectorAll('.cell').length === cells, 3 * options.size * (options.size - 1) + 1);
  await measureClicks(page, options.clicks, `hexhex-${options.size}`);
  await page.click('#analyse');
  await page.locator('.candidate.best').waitFor();
  const updates = await page.evaluate(countUpdates, options.seconds);
  console.log(`analysis: ${(updates / options.seconds).toFixed(1)} updates a second`);
  await measureClicks(page, options.clicks / 2, 'while it runs');
}

const { address, close } = await serve();
const browser = await launch();
try {
  await measure(browser, address);
} finally {
  await browser.close();
  close();
}
