// A test of the page of `stigmergy report`, in headless Chromium with scripts switched off:
//
//   node report.mjs BINARY RESULT.json... [FOLDER]     FOLDER: screenshots go there

import { execFileSync } from 'node:child_process';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [binary, ...rest] = process.argv.slice(2);
const results = rest.filter((name) => name.endsWith('.json')), pictures = rest.find((name) => !name.endsWith('.json'));

const looks = {
  light: { viewport: { width: 1280, height: 900 } },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 800 } },
};

// What holds on every screen: all is there, drawn, named, and nothing is wider than the screen.
async function check(page) {
  assert.equal(await page.title(), 'Stigmergy: results');
  const sections = page.locator('section');
  assert.equal(await sections.count(), results.length);
  for (const figure of await page.locator('figure svg[role=img]').all()) {
    const box = await figure.boundingBox();
    assert.ok(box.width > 200 && box.height > 100);
    assert.ok(await figure.locator('> title').textContent());
    assert.ok(await figure.locator('> desc').textContent());
  }
  for (const caption of ["Black's chance over komi", 'Posterior of the fair komi', 'The ladder'])
    assert.equal(await page.locator('figcaption', { hasText: caption }).count(), results.length);
  assert.ok(await page.locator('.curve.even').first().isVisible());
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
  await page.locator('main > .scroll a').first().click();
  assert.match(page.url(), /#result-\d+$/);
  await page.locator('summary').first().click();
  assert.ok(await page.locator('details table').first().isVisible());
}

const folder = mkdtempSync(join(tmpdir(), 'stigmergy-report-')), file = join(folder, 'report.html');
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
const grounds = new Set();
try {
  execFileSync(binary, ['report', '--out', file, ...results]);
  for (const [name, options] of Object.entries(looks)) {
    // Playwright's own calls still work in a page whose scripts are switched off.
    const context = await browser.newContext({ ...options, javaScriptEnabled: false, offline: true }), page = await context.newPage();
    const problems = [];
    page.on('console', (message) => problems.push(message.text()));
    page.on('requestfailed', (request) => problems.push(request.url()));
    await page.goto(`file://${file}`);
    await check(page);
    grounds.add(await page.evaluate(() => getComputedStyle(document.body).backgroundColor));
    assert.deepEqual(problems, []);
    if (pictures) await page.screenshot({ path: join(pictures, `report-${name}.png`), fullPage: true });
    await context.close();
    console.log(`ok report, ${name}`);
  }
  assert.equal(grounds.size, 2); // light and dark
} finally {
  await browser.close();
  rmSync(folder, { recursive: true });
}
