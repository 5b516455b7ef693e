// A person who reads the longest lists in all of their organizations at once, and pings, in a process of its own.
export type ReadingOrder = {
  url: string;
  /** The address to read with each key. */
  reads: { key: string; paths: string[] }[];
  /** Addresses of heartbeats. */
  pings: string[];
  /** Concurrent requests per key, and per heartbeat. */
  width: number;
};

process.once('message', (order: ReadingOrder) => void begin(order));
process.once('disconnect', () => process.exit());

async function begin({ url, reads, pings, width }: ReadingOrder): Promise<void> {
  const loops = Array.from({ length: width }, (_, i) => [
    ...reads.map(({ key, paths }) =>
      forEver(url + paths[i % paths.length], { headers: { authorization: `Bearer ${key}` } }),
    ),
    ...pings.map((ping) => forEver(ping, { method: 'POST' })),
  ]);
  process.send?.('reading');
  await Promise.all(loops.flat());
}

async function forEver(url: string, init: RequestInit): Promise<never> {
  for (;;) {
    const answer = await fetch(url, init).catch(() => null);
    await answer?.arrayBuffer().catch(() => undefined);
    if (answer === null || !answer.ok) await new Promise((next) => setTimeout(next, 100));
  }
}
