// Rate limits that the servers of an installation count together (docs/rules/limits.md#several-servers). No request waits for
// that: every server announces its counts, once a second at most, and adds the announcements of the others.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible';
import { askingAsSystem } from '../db/asker.ts';
import type { Listener } from '../db/listener.ts';
import type { Log } from '../log.ts';
import type { Database } from '../work.ts';

/** Creates the limiter of a name: a number of points per number of seconds, by key. */
export type Limiters = (name: string, points: number, seconds: number) => RateLimiterMemory;

/** For a server that counts alone. */
export const ownLimiters: Limiters = (_name, points, duration) =>
  new RateLimiterMemory({ points, duration, keyPrefix: '' });

export const CHANNEL = 'request_counts';
const EVERY_MS = 1_000;
/** Counts below this part of a limit are not announced: hardly any caller ever comes near a limit. */
export const ANNOUNCED_FROM = 0.1;
/** PostgreSQL takes 8,000 bytes. */
const ENTRIES_A_PAYLOAD = 80;
/** If more keys than this are counted in a second, each server limits the rest by itself. */
const MAX_ENTRIES = 2_000;

/** Name of the limiter, key, points. */
type Entry = [string, string, number];

export type SharedLimiters = {
  limiters: Limiters;
  /** Announces the counts since the last time; by default once a second. */
  announce: () => Promise<void>;
  stop: () => void;
};

export function shareLimiters(options: { db: Database; listener: Listener; log: Log }): SharedLimiters {
  const { db, listener, log } = options;
  const self = randomUUID();
  const byName = new Map<string, SharedLimiter>();
  let counted = new Map<string, Entry>();
  let timer: NodeJS.Timeout | null = null;

  function note(name: string, key: string, points: number): void {
    const id = `${name} ${key}`;
    const entry = counted.get(id);
    if (entry) entry[2] += points;
    else if (counted.size < MAX_ENTRIES) counted.set(id, [name, key, points]);
    timer ??= setTimeout(() => void announce(), EVERY_MS).unref();
  }

  async function announce(): Promise<void> {
    if (timer) clearTimeout(timer);
    timer = null;
    const entries = [...counted.values()];
    counted = new Map();
    const payloads = Array.from({ length: Math.ceil(entries.length / ENTRIES_A_PAYLOAD) }, (_, i) =>
      JSON.stringify([self, entries.slice(i * ENTRIES_A_PAYLOAD, (i + 1) * ENTRIES_A_PAYLOAD)]),
    );
    if (payloads.length === 0) return;
    // A request may have set the timer, and the announcement must not use that request's share.
    await askingAsSystem(() =>
      sql`SELECT pg_notify(${CHANNEL}, payload) FROM unnest(${payloads}::text[]) AS payload`.execute(db),
    ).catch((err: unknown) => log.debug({ err }, 'cannot announce request counts'));
  }

  listener.listen(CHANNEL, (payload) => {
    if (payload === null) return;
    const [from, entries] = JSON.parse(payload) as [string, Entry[]];
    if (from === self) return;
    for (const [name, key, points] of entries) byName.get(name)?.learn(key, points);
  });

  return {
    limiters(name, points, seconds) {
      const limiter = new SharedLimiter(points, seconds, (key, spent) => note(name, key, spent));
      byName.set(name, limiter);
      return limiter;
    },
    announce,
    stop() {
      if (timer) clearTimeout(timer);
    },
  };
}

/** Announces points from a tenth of the limit up to the limit: beyond it they change nothing on other servers. */
class SharedLimiter extends RateLimiterMemory {
  readonly #note: (key: string, points: number) => void;

  constructor(points: number, duration: number, note: (key: string, points: number) => void) {
    super({ points, duration, keyPrefix: '' });
    this.#note = note;
  }

  override consume(key: string, points = 1): Promise<RateLimiterRes> {
    const spent = super.consume(key, points);
    const noted = (result: RateLimiterRes) => this.#noteSpent(key, points, result);
    spent.then(noted, noted);
    return spent;
  }

  override penalty(key: string, points = 1): Promise<RateLimiterRes> {
    const spent = super.penalty(key, points);
    void spent.then((result) => this.#noteSpent(key, points, result));
    return spent;
  }

  /** Adds the counts of another server. */
  learn(key: string, points: number): void {
    void super.penalty(key, points);
  }

  #noteSpent(key: string, points: number, { consumedPoints }: RateLimiterRes): void {
    const before = consumedPoints - points;
    if (consumedPoints >= this.points * ANNOUNCED_FROM && before < this.points) this.#note(key, points);
  }
}
