// Whether the server answers, and since when it has refused results of checks (/readyz). A page whose server is down looks
// the same as when all was well, so the dashboard polls all the time, not only when it reads.
import { useSyncExternalStore } from 'react';

const WELL_EVERY_MS = 10_000;
/** Polls sooner while in doubt, before showing anything. A restart of the server is not worth a message. */
const DOUBT_MS = 1_000;
const AWAY_EVERY_MS = 2_000;
/** Poll interval while results are refused, so that the page soon notices the end. */
const PAUSED_EVERY_MS = 5_000;
const PATIENCE_MS = 4_000;

const unixNow = () => Math.floor(Date.now() / 1_000);

const readers = new Set<() => void>();
const returns = new Set<() => void>();
let answeredAt = unixNow();
let lostSince: number | null = null;
/** Unix seconds, as last reported; null while results are accepted. */
let pausedSince: number | null = null;
let failures = 0;
let asking: Promise<boolean> | null = null;
let timer: ReturnType<typeof setTimeout> | undefined;

/** Whether both the server and its database answer: without the database all data would be as old. */
async function answers(): Promise<boolean> {
  try {
    const answer = await fetch('/readyz', { cache: 'no-store', signal: AbortSignal.timeout(PATIENCE_MS) });
    const { database, results_paused_since_unix } = (await answer.json()) as {
      database?: boolean;
      results_paused_since_unix?: number | null;
    };
    // A proxy's error page is not an answer of our server.
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

/** Polls the server now, after a failure. Resolves to whether it answers. */
export function checkConnection(): Promise<boolean> {
  asking ??= ask();
  return asking;
}

/** Polls for the lifetime of the page; calls `onReturn` whenever the server is back. */
export function watchConnection(onReturn: () => void): void {
  returns.add(onReturn);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') void checkConnection();
  });
  void checkConnection();
}

/** Resolves as soon as the server answers. */
export async function untilServerAnswers(): Promise<void> {
  while (!(await checkConnection())) await new Promise((resolve) => setTimeout(resolve, AWAY_EVERY_MS));
}

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => void readers.delete(reader);
}

/** When the server last answered (Unix seconds), while it is down; null while it is up. */
export function useLostSince(): number | null {
  return useSyncExternalStore(subscribe, () => lostSince);
}

/**
 * Since when the server has refused results because the database's disk is full (Unix seconds); null while it accepts them.
 */
export function useResultsPausedSince(): number | null {
  return useSyncExternalStore(subscribe, () => pausedSince);
}
