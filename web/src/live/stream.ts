// The live stream as this browser receives it. It reconnects by itself when the server was down or refused it.

/** The stream opened, closed, or sent an event with its data as text. */
export type StreamMessage =
  | { is: 'open' }
  | { is: 'away'; refused: boolean }
  | { is: 'event'; kind: string; data: string };

/** The event types of a stream (docs of GET /organizations/{org_id}/events). */
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
      // The browser retries by itself, except after an HTTP error: then we retry.
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
