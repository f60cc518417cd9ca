// How fast the board answers, in headless Chromium; a measurement, not a test:
//
//   node speed.mjs BINARY [--size 8] [--clicks 40] [--seconds 10]
//
// From a click to the frame that has its stone, and to the one that has all that the server says of the position, in a
// game of two people; then how often a second what the analysis says changes on the page, and clicks while it runs. For
// quiet machines.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chromium } from 'playwright-core';

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

const server = spawn(binary, ['serve', '--port', '0', '--threads', '2'], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(server.stdout, 'data');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 820 } });
await page.goto(String(line).trim());
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
await browser.close();
server.kill();
