// The browser of the tests: Chromium without a window, in Debian's small build for that, or the program in $CHROMIUM.

import { chromium } from 'playwright-core';

export function launch() {
  return chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: ['--no-sandbox'] });
}
