// Makes a page that a test has used as good as a new one: opening another costs a process, and reading every script again.
import type { Page } from 'playwright-core';

/** As on a desktop, in English; without animations, so that elements stay where they are. */
export const DESKTOP = {
  viewport: { width: 1440, height: 900 },
  locale: 'en-GB',
  colorScheme: 'light',
  reducedMotion: 'reduce',
} as const;
const EVENTS = [
  'console',
  'dialog',
  'download',
  'pageerror',
  'request',
  'requestfailed',
  'response',
] as const;

/**
 * Takes from a page, and from its context, whatever a test can leave there but the files that the browser has cached: other pages,
 * what was stored, who is signed in, routes, listeners, permissions, looks; scripts of `addInitScript` and a network turned off remain. False for a page that must be closed instead: one
 * that is closed already, or whose clock was replaced, which cannot be undone.
 */
export async function makeAsNew(page: Page): Promise<boolean> {
  if (page.isClosed()) return false;
  const context = page.context();
  await Promise.all(context.pages().map((each) => (each === page ? null : each.close())));
  for (const event of EVENTS) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  if (page.url().startsWith('http')) {
    const origin = await page.evaluate<string>('sessionStorage.clear(), location.origin');
    const cdp = await context.newCDPSession(page);
    await cdp.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
    await cdp.detach();
  }
  await page.goto('about:blank');
  await context.clearCookies();
  await context.clearPermissions();
  await page.setViewportSize(DESKTOP.viewport);
  await page.emulateMedia({
    colorScheme: DESKTOP.colorScheme,
    reducedMotion: DESKTOP.reducedMotion,
    media: null,
  });
  return page.evaluate<boolean>("String(setTimeout).includes('[native code]')");
}
