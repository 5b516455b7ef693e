// Draws the icons of the installed dashboard from the mark, with a Chromium: `npm run generate:icons`, after a change of it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { findBrowser } from './harness/browser.ts';

const WEB = join(import.meta.dirname, '../web');
const mark = readFileSync(join(WEB, 'src/theme/favicon.svg'), 'utf8').replace(/<style>.*<\/style>/, '');

/** `mark`: how much of the tile the mark is wide. A device cuts a maskable icon, and rounds an Apple one by itself. */
const ICONS = [
  { name: 'icon-192.png', size: 192, mark: 0.66, radius: 0.22 },
  { name: 'icon-512.png', size: 512, mark: 0.66, radius: 0.22 },
  { name: 'icon-maskable-512.png', size: 512, mark: 0.52, radius: 0 },
  { name: 'apple-touch-icon.png', size: 180, mark: 0.62, radius: 0 },
];

const executablePath = findBrowser();
if (!executablePath) throw new Error('no Chromium or Chrome found');
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
for (const icon of ICONS) {
  const viewport = { width: icon.size, height: icon.size };
  const page = await browser.newPage({ viewport });
  await page.setContent(`<style>
    body { margin: 0; display: grid; place-items: center; width: ${icon.size}px; height: ${icon.size}px;
      border-radius: ${icon.size * icon.radius}px; background: #3944bc; }
    svg { width: ${icon.mark * 100}%; }
    .i { fill: #ffffff } .c { fill: #c3c8fb }
    html { background: transparent }
  </style>${mark}`);
  writeFileSync(join(WEB, 'public', icon.name), await page.screenshot({ omitBackground: true }));
  await page.close();
}
await browser.close();
