// Reads a live stream of Server-Sent Events, recording the time of each event.

import { awaited } from './awaited.ts';

export type StreamEvent = { id: string; event: string; data: Record<string, unknown>; atMs: number };

export type EventStream = {
  events: StreamEvent[];
  next: (fits: (event: StreamEvent) => boolean, withinMs?: number) => Promise<StreamEvent>;
  /** Whether the server has ended it, or its connection broke. */
  isOver: () => boolean;
  stop: () => void;
};

/** Opens the stream with a cookie, or with other headers; resolves when the server has answered. */
export async function openEventStream(
  url: string,
  credential: string | { authorization: string },
  lastEventId?: string,
): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(url, {
    headers: {
      ...(typeof credential === 'string' ? { cookie: credential } : credential),
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
    signal: abort.signal,
  });
  if (!response.ok || !response.body) throw new Error(`the stream answered ${response.status}`);
  const events: StreamEvent[] = [];
  const { look, next } = awaited(events, () => 'no such event');
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();

  async function pump(): Promise<void> {
    let rest = '';
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      const blocks = (rest + value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const fields = new Map(
          block
            .split('\n')
            .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
        );
        const data = fields.get('data');
        if (data === undefined) continue;
        const event = {
          id: fields.get('id') ?? '',
          event: fields.get('event') ?? '',
          data: JSON.parse(data) as Record<string, unknown>,
        };
        events.push({ ...event, atMs: performance.timeOrigin + performance.now() });
      }
      look();
    }
  }
  let over = false;
  // Aborting ends the read with an error that adds nothing.
  pump()
    .catch(() => {})
    .finally(() => {
      over = true;
    });

  return {
    events,
    next,
    isOver: () => over,
    stop: () => abort.abort(),
  };
}

/** A server checks its streams every 4 s, and writes a comment to each. */
const CHECK_COMMENT = ': still here';

/** The most checks that a stream without a right to it may survive: one check may be in progress already. */
export const MAX_STREAM_CHECKS = 2;

/**
 * Opens a stream, runs `act`, and resolves when the server has ended it: with the number of checks that a second, permitted
 * stream saw meanwhile. Counted that way, a slow machine decides nothing.
 */
export async function checksUntilEnd(
  url: string,
  headers: Record<string, string>,
  witness: Record<string, string>,
  act: () => unknown,
): Promise<number> {
  const abort = new AbortController();
  const [response, other] = await Promise.all([
    fetch(url, { headers }),
    fetch(url, { headers: witness, signal: abort.signal }),
  ]);
  if (!response.ok || !other.ok)
    throw new Error(`the streams answered ${response.status} and ${other.status}`);
  const reader = response.body!.getReader();
  let acted = false;
  let checks = 0;
  const listening = (async () => {
    for await (const chunk of other.body!.pipeThrough(new TextDecoderStream()))
      if (acted) checks += chunk.split(CHECK_COMMENT).length - 1;
  })().catch(() => undefined);
  try {
    await act();
    acted = true;
    while (!(await reader.read()).done);
    return checks;
  } finally {
    abort.abort();
    await listening;
  }
}
