// Shares streams among tabs: each stream is opened once, and closed when its last tab has left.
import type { StreamMessage } from './stream.ts';

/** A tab's message: it subscribes to this stream, or unsubscribes. `session` identifies whose stream it is. */
export type PortMessage = { listen: boolean; path: string; session: string };

/** Our end of a tab's port. */
export type Line = { postMessage: (message: StreamMessage) => void };

type Open = { lines: Set<Line>; last: StreamMessage | null; close: () => void };

/** Keeps one stream per session and organization, opened with `open`; the returned function handles a tab's messages. */
export function makeStreamHub(
  open: (path: string, onMessage: (message: StreamMessage) => void) => () => void,
): (line: Line, said: PortMessage) => void {
  const streams = new Map<string, Open>();

  function listen(line: Line, key: string, path: string): void {
    const there = streams.get(key);
    if (there !== undefined) {
      there.lines.add(line);
      // A later tab gets the current state.
      if (there.last !== null) line.postMessage(there.last);
      return;
    }
    const stream: Open = { lines: new Set([line]), last: null, close: () => undefined };
    streams.set(key, stream);
    stream.close = open(path, (message) => {
      if (message.is !== 'event') stream.last = message;
      for (const each of stream.lines) each.postMessage(message);
    });
  }

  function leave(line: Line, key: string): void {
    const stream = streams.get(key);
    if (stream === undefined || !stream.lines.delete(line) || stream.lines.size > 0) return;
    stream.close();
    streams.delete(key);
  }

  return (line, { listen: wanted, path, session }) => {
    // Another person may have signed in since: events go only to tabs of the session that opened the stream.
    const key = `${session} ${path}`;
    if (wanted) listen(line, key, path);
    else leave(line, key);
  };
}
