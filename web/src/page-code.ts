// A page's code is fetched when the page is first opened, and the server may be down then.
import { lazyRouteComponent } from '@tanstack/react-router';
import { checkConnection, untilServerAnswers } from './connection.ts';

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
    return await load().catch(loadEverythingAnew<Code>);
  }
}

/** The router reloads the dashboard only for a missing script; a page without its styles is as incomplete. */
function asMissingCode(error: unknown): unknown {
  if (!(error instanceof Error && error.message.startsWith('Unable to preload CSS'))) return error;
  return new TypeError(`Failed to fetch dynamically imported module: ${error.message}`, { cause: error });
}

const RELOADED_AT = 'tocsin.reloaded-at';
/** A server that lacks the code of its own page, because files were replaced under it, lacks it after a reload too. */
const NOT_AGAIN_WITHIN_MS = 30_000;

/** Some browsers cache the failed fetch until the page is reloaded. Throws the error if that has just been tried. */
function loadEverythingAnew<Code>(error: unknown): Promise<Code> {
  const lastMs = Number(sessionStorage.getItem(RELOADED_AT) ?? 0);
  if (Date.now() - lastMs < NOT_AGAIN_WITHIN_MS) throw asMissingCode(error);
  sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  window.location.reload();
  return new Promise(() => undefined);
}
