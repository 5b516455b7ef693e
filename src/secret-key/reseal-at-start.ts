// After SECRET_KEY was rotated, a server seals the stored secrets again in the background, once all servers have the
// new key.

import type { Log } from '../platform/log.ts';
import type { Vault } from '../platform/secrets.ts';
import { type Database, SYSTEM } from '../platform/work.ts';
import { strangeKey } from './check-secret-key.ts';
import { serversWithAnotherKey } from './keys-in-force.ts';
import { resealAll } from './reseal.ts';

const POLL_EVERY_MS = 5_000;
const TRY_AGAIN_MS = 60_000;
const LOG_EVERY_MS = 10_000;

export type ResealAtStart = { db: Database; vault: Vault; clock: () => Date; log: Log };

/** Runs until everything is sealed under the key in force, or until it is stopped. First it says whether that is another key altogether. */
export function startResealing(options: ResealAtStart): { stop: () => Promise<void>; ended: Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ended = run(options, signal);
  return {
    ended,
    async stop() {
      stopping.abort();
      await ended;
    },
  };
}

async function run({ db, vault, clock, log }: ResealAtStart, signal: AbortSignal): Promise<void> {
  let lastLogMs = clock().getTime();
  let waits = false;
  let isKnown = false;
  while (!signal.aborted) {
    try {
      if (!isKnown) {
        const strange = await strangeKey(db, vault);
        isKnown = true;
        if (strange !== null) log.warn(strange);
      }
      const others = await serversWithAnotherKey(db, vault);
      if (others === 0) {
        const done = await resealAll({
          db,
          vault,
          now: clock(),
          actor: SYSTEM,
          signal,
          progress: (far) => {
            if (clock().getTime() - lastLogMs < LOG_EVERY_MS) return;
            lastLogMs = clock().getTime();
            log.info(far, 'sealing stored secrets under the new SECRET_KEY');
          },
        });
        logResealed(log, vault, done);
        return;
      }
      if (!waits)
        log.info({ others }, 'stored secrets are sealed again once every server has the new SECRET_KEY');
      waits = true;
      await pause(POLL_EVERY_MS, signal);
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, 'stored secrets could not be sealed again; trying again');
      await pause(TRY_AGAIN_MS, signal);
    }
  }
}

function logResealed(log: Log, vault: Vault, done: { resealed: number; unreadable: number }): void {
  if (done.unreadable > 0)
    log.warn(
      { values: done.unreadable },
      'stored secrets open with no known SECRET_KEY; see tocsin secret-key status',
    );
  if (done.resealed > 0)
    log.info({ values: done.resealed }, 'stored secrets are sealed under the SECRET_KEY in force');
  if (vault.keyIds.length > 1)
    log.info('the earlier SECRET_KEY still opens sessions; end it with tocsin secret-key finish');
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
