// Who of several tabs listens to which stream: each stream is open once, and closed when the last of them has left.
import type { StreamMessage } from './stream.ts';

/** What a tab says: from now on it listens to this stream, or no more. `session`: whose stream it is. */
export type PortMessage = { listen: boolean; path: string; session: string };

/** The end of a tab's line that is ours. */
export type Line = { postMessage: (message: StreamMessage) => void };

type Open = { lines: Set<Line>; last: StreamMessage | null; close: () => void };

/** Streams by whose they are, over `open`; what a line says is passed to the returned function. */
export function makeSwitchboard(
  open: (path: string, onMessage: (message: StreamMessage) => void) => () => void,
): (line: Line, said: PortMessage) => void {
  const streams = new Map<string, Open>();

  function listen(line: Line, key: string, path: string): void {
    const there = streams.get(key);
    if (there !== undefined) {
      there.lines.add(line);
      // A later tab gets the present state.
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
    // Another person may have signed in since: a stream reaches those only whose session opened it.
    const key = `${session} ${path}`;
    if (wanted) listen(line, key, path);
    else leave(line, key);
  };
}
