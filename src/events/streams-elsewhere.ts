// How many live streams the other servers of the installation have open: each announces its own with every heartbeat of its
// streams (docs/rules/limits.md#several-servers). Nobody is asked when a stream is opened.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Listener } from '../platform/db/listener.ts';
import type { Database } from '../platform/work.ts';

const CHANNEL = 'stream_counts';
/** The announcement of a server is valid for this long: two of its heartbeats may be late or lost. */
const HOLDS_MS = 12_000;
/** PostgreSQL takes 8,000 bytes in a notification. */
const COUNTS_A_PAYLOAD = 80;

/** The number of streams, by the tenant and credential that they count for. */
export type StreamCount = [of: string, streams: number];

export type StreamsElsewhere = {
  announce: (counts: readonly StreamCount[]) => Promise<void>;
  /** Streams of the other servers. */
  count: (of: string) => number;
};

type Announced = { round: number; atMs: number; counts: Map<string, number> };

export function makeStreamsElsewhere(
  db: Database,
  listener: Listener,
  elapsedMs: () => number = () => performance.now(),
): StreamsElsewhere {
  const self = randomUUID();
  const servers = new Map<string, Announced>();
  let round = 0;

  listener.listen(CHANNEL, (payload) => {
    if (payload === null) return;
    const [from, ofRound, counts] = JSON.parse(payload) as [string, number, StreamCount[]];
    if (from === self) return;
    const known = servers.get(from);
    // The first of a round takes the place of the round before, the next ones belong to it.
    const merged = known?.round === ofRound ? known.counts : new Map<string, number>();
    for (const [of, streams] of counts) merged.set(of, streams);
    servers.set(from, { round: ofRound, atMs: elapsedMs(), counts: merged });
  });

  return {
    async announce(counts) {
      round += 1;
      const payloads = Array.from({ length: Math.ceil(counts.length / COUNTS_A_PAYLOAD) }, (_, i) =>
        JSON.stringify([self, round, counts.slice(i * COUNTS_A_PAYLOAD, (i + 1) * COUNTS_A_PAYLOAD)]),
      );
      if (payloads.length === 0) return;
      await sql`SELECT pg_notify(${CHANNEL}, payload) FROM unnest(${payloads}::text[]) AS payload`.execute(
        db,
      );
    },
    count(of) {
      let streams = 0;
      for (const [server, { atMs, counts }] of servers) {
        if (elapsedMs() - atMs > HOLDS_MS) servers.delete(server);
        else streams += counts.get(of) ?? 0;
      }
      return streams;
    },
  };
}
