// A page's code is fetched when the page is first opened, and the server may be down then.
import { lazyRouteComponent } from '@tanstack/react-router';
import { checkConnection, untilServerAnswers } from './connection.ts';
import { reloadOnce } from './reload-once.ts';

/**
 * A lazily loaded page. While the server is down it keeps loading, and appears when the server is back. If the server is up
 * but lacks this code (a newer version was installed), the router reloads the dashboard.
 */
export const page: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => patiently(load), name);

async function patiently<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    if (await checkConnection()) throw asMissingCode(error);
    await untilServerAnswers();
    return await load().catch((error: unknown) => loadEverythingAnew(asMissingCode(error)));
  }
}

/** The router reloads the dashboard only for a missing script; a page without its styles is as incomplete. */
function asMissingCode(error: unknown): unknown {
  if (!(error instanceof Error && error.message.startsWith('Unable to preload CSS'))) return error;
  return new TypeError(`Failed to fetch dynamically imported module: ${error.message}`, { cause: error });
}

/** Some browsers cache the failed fetch until the page is reloaded. */
const loadEverythingAnew = (error: unknown): Promise<never> =>
  reloadOnce(error, {
    storage: sessionStorage,
    nowMs: Date.now(),
    reload: () => window.location.reload(),
  });
