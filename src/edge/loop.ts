// Keeps every edge at its wanted configuration, and the states of domains at what the edges report. Every server process runs
// it. It compares an edge's actual configuration each time, so a restart of the edge, or a change by another server, does not
// matter.
import type { Listener } from '#src/platform/db/listener.ts';
import type { Log } from '#src/platform/log.ts';
import { type Database, runWork, SYSTEM } from '#src/platform/work.ts';
import { onPagesChanged, PAGES_CHANNEL } from '#src/status-pages/changed.ts';
import type { EdgeSettings } from './caddy-config.ts';
import { followCertificates } from './certificates.ts';
import { markDomains } from './mark-domains.ts';
import { servedNames } from './names.ts';
import { noteEdges } from './note-edges.ts';
import { type EdgeState, pushConfig } from './push.ts';

export type EdgeOptions = {
  db: Database;
  clock: () => Date;
  log: Log;
  baseUrl: string;
  adminUrls: readonly string[];
  settings: EdgeSettings;
  /** Aborts the current turn. */
  signal?: AbortSignal;
};

const EVERY_MS = 10_000;
/** Changes within this time are applied together. */
const GATHER_MS = 1_000;

/** One turn: every edge, independently of the others, then the domains. Returns the states of the edges. */
export async function syncEdges(options: EdgeOptions): Promise<EdgeState[]> {
  const { db, clock, baseUrl, adminUrls, settings, signal } = options;
  const namesNow = () => servedNames(db, baseUrl);
  const states = await Promise.all(
    adminUrls.map((adminUrl) => pushConfig({ adminUrl, settings, namesNow, signal })),
  );
  signal?.throwIfAborted();
  await noteEdges(db, clock(), states);
  const [first, ...others] = states.map(({ names }) => names).filter((names) => names !== null);
  // If no edge answers, nothing is known.
  if (first !== undefined) {
    const shared = new Set([...first].filter((name) => others.every((names) => names.has(name))));
    await runWork(db, clock(), SYSTEM, (work) => markDomains(work, shared));
  }
  return states;
}

/** Where an edge serves, as seen from here: on the host of its admin API. */
export const servingAt = (adminUrl: string, { httpsPort }: EdgeSettings): { host: string; port: number } => ({
  host: new URL(adminUrl).hostname.replace(/^\[|\]$/g, ''),
  port: httpsPort,
});

/** Starts the loop: a turn every 10 s, and when a page or its domains change. Certificates are followed beside it. */
export function startEdge(
  given: Omit<EdgeOptions, 'signal'>,
  listener: Pick<Listener, 'listen'>,
): { stop: () => Promise<void> } {
  const { log, settings } = given;
  const ending = new AbortController();
  const options = { ...given, signal: ending.signal };
  const said = new Map<string, string | null>();
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let isWoken = false;
  let following: Promise<void> | null = null;
  let isFailing = false;

  const turn = async () => {
    try {
      const states = await syncEdges(options);
      for (const state of states) report(log, said, state);
      const edges = states.flatMap(({ adminUrl, names }) => (names ? [servingAt(adminUrl, settings)] : []));
      following ??= followCertificates({ ...options, edges })
        .catch((err: unknown) => {
          if (!ending.signal.aborted) log.warn({ err }, 'cannot track certificates; trying again');
        })
        .finally(() => {
          following = null;
        });
      isFailing = false;
    } catch (err) {
      if (!isFailing && !ending.signal.aborted) log.warn({ err }, 'cannot read the edges; trying again');
      isFailing = true;
    }
  };
  const run = () => {
    isWoken = false;
    running = turn().finally(() => {
      running = null;
      if (!ending.signal.aborted) timer = setTimeout(run, isWoken ? GATHER_MS : EVERY_MS);
    });
  };
  const wake = (id: string | null) => {
    // An organization's figures change nothing for an edge.
    if (ending.signal.aborted || isWoken || id?.startsWith('stp_') === false) return;
    isWoken = true;
    if (running !== null) return;
    clearTimeout(timer);
    timer = setTimeout(run, GATHER_MS);
  };
  listener.listen(PAGES_CHANNEL, wake);
  const unlisten = onPagesChanged(wake);
  run();
  return {
    async stop() {
      ending.abort();
      clearTimeout(timer);
      unlisten();
      await running;
      await following;
    },
  };
}

/** Logs what changed since the last turn. */
function report(
  log: Log,
  said: Map<string, string | null>,
  { adminUrl, failure, isReplaced, names }: EdgeState,
): void {
  const now = failure?.message ?? null;
  if (now !== null && now !== said.get(adminUrl))
    log.warn({ edge: adminUrl, reason: now }, 'an edge does not have its configuration; trying again');
  else if (now === null && (said.get(adminUrl) ?? null) !== null)
    log.info({ edge: adminUrl }, 'the edge has its configuration again');
  if (isReplaced) log.info({ edge: adminUrl, names: names?.size ?? 0 }, 'the edge has been configured');
  said.set(adminUrl, now);
}
