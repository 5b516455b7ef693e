// The code of a page is fetched when the page is first opened, and the server may be away then.
import { lazyRouteComponent } from '@tanstack/react-router';
import { checkConnection, serverIsThere } from './connection.ts';

/**
 * A page that is loaded when it is first opened. While the server is away it goes on loading, and comes when that is back.
 * Where the server is there and this code is not (a newer version was installed), the router loads everything anew.
 */
export const page: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => patiently(load), name);

async function patiently<Code>(load: () => Promise<Code>): Promise<Code> {
  try {
    return await load();
  } catch (error) {
    if (await checkConnection()) throw asMissingCode(error);
    await serverIsThere();
    return await load().catch(loadEverythingAnew<Code>);
  }
}

/** The router loads everything anew only for a script that is missing; a page without its styles is as incomplete. */
function asMissingCode(error: unknown): unknown {
  if (!(error instanceof Error && error.message.startsWith('Unable to preload CSS'))) return error;
  return new TypeError(`Failed to fetch dynamically imported module: ${error.message}`, { cause: error });
}

/** Some browsers remember that code could not be fetched until its page is loaded anew. */
function loadEverythingAnew<Code>(): Promise<Code> {
  window.location.reload();
  return new Promise(() => undefined);
}
