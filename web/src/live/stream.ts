// The live stream as this browser receives it: opened, and opened again by itself when the server was away or refused it.

/** The stream is open, or it is not, or it sent an event with the text of its data. */
export type StreamMessage =
  | { is: 'open' }
  | { is: 'away'; refused: boolean }
  | { is: 'event'; kind: string; data: string };

/** The kinds of events that a stream sends (docs of GET /organizations/{org_id}/events). */
const KINDS = ['monitor', 'incident', 'maintenance', 'alarm', 'drill'];

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

/** Listens to a stream of this installation until the returned function is called. */
export function openStream(path: string, onMessage: (message: StreamMessage) => void): () => void {
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  function open(): void {
    source = new EventSource(path);
    source.onopen = () => {
      pauseMs = FIRST_PAUSE_MS;
      onMessage({ is: 'open' });
    };
    source.onerror = () => {
      // The browser tries again by itself, except after an HTTP refusal: then we do.
      const refused = source?.readyState === EventSource.CLOSED;
      onMessage({ is: 'away', refused });
      if (!refused) return;
      again = setTimeout(open, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    };
    for (const kind of KINDS)
      source.addEventListener(kind, ({ data }) => onMessage({ is: 'event', kind, data: String(data) }));
  }

  open();
  return () => {
    source?.close();
    clearTimeout(again);
  };
}
