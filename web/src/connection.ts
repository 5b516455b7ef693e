// Whether this dashboard has its server, and since when that takes no results of checks (/readyz). A page whose server is away
// looks as it did when all was well, so it is asked for all the time, and not only when something is read.
import { useSyncExternalStore } from 'react';

const WELL_EVERY_MS = 10_000;
/** Doubtful: asked again soon, before anything is said. A server that restarts is not worth a word. */
const DOUBT_MS = 1_000;
const AWAY_EVERY_MS = 2_000;
/** While no results are taken, so that the end of it is seen soon. */
const PAUSED_EVERY_MS = 5_000;
const PATIENCE_MS = 4_000;

const unixNow = () => Math.floor(Date.now() / 1_000);

const readers = new Set<() => void>();
const returns = new Set<() => void>();
let answeredAt = unixNow();
let lostSince: number | null = null;
/** Unix seconds, as last heard; null while results are taken. */
let pausedSince: number | null = null;
let failures = 0;
let asking: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether the server answers, and its database too: without that all it could show is as old. */
async function answers(): Promise<boolean> {
  try {
    const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
    const { database, results_paused_since_unix } = (await answer.json()) as {
      database?: boolean;
      results_paused_since_unix?: number | null;
    };
    // What a proxy says of a server that is away is no answer of ours.
    if (database === undefined) return false;
    notePaused(results_paused_since_unix ?? null);
    return database;
  } catch {
    return false;
  }
}

async function ask(): Promise<boolean> {
  clearTimeout(timer);
  const isThere = await answers();
  asking = null;
  note(isThere);
  const well = pausedSince === null ? WELL_EVERY_MS : PAUSED_EVERY_MS;
  const pause = isThere ? well : lostSince === null ? DOUBT_MS : AWAY_EVERY_MS;
  timer = setTimeout(() => void checkConnection(), pause);
  return isThere;
}

function note(isThere: boolean): void {
  failures = isThere ? 0 : failures + 1;
  if (isThere) answeredAt = unixNow();
  const now = isThere ? null : failures < 2 ? lostSince : (lostSince ?? answeredAt);
  if (now === lostSince) return;
  lostSince = now;
  if (now === null) delete document.documentElement.dataset.connection;
  else document.documentElement.dataset.connection = 'lost';
  for (const reader of readers) reader();
  if (now === null) for (const each of returns) each();
}

function notePaused(since: number | null): void {
  if (since === pausedSince) return;
  pausedSince = since;
  for (const reader of readers) reader();
}

/** Asks for the server now: something went wrong. Resolves to whether it answers. */
export function checkConnection(): Promise<boolean> {
  asking ??= ask();
  return asking;
}

/** Watches from now on, while the page lives; `onReturn` is called whenever the server is back. */
export function watchConnection(onReturn: () => void): void {
  returns.add(onReturn);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void checkConnection();
  });
  void checkConnection();
}

/** Resolves as soon as the server answers. */
export async function serverIsThere(): Promise<void> {
  while (!(await checkConnection())) await new Promise((resolve) => setTimeout(resolve, AWAY_EVERY_MS));
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => void readers.delete(reader);
}

/** When the server was last heard (Unix seconds), while it is away; null while it is there. */
export function useLostSince(): number | null {
  return useSyncExternalStore(subscribe, () => lostSince);
}

/** Since when the server takes no results of checks (Unix seconds), its database's disk being full; null while it takes them. */
export function useResultsPausedSince(): number | null {
  return useSyncExternalStore(subscribe, () => pausedSince);
}
