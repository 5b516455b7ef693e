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
/**
 * The server sends a heartbeat every 4 s. A browser believes a connection open long after a router or a sleeping machine has lost
 * it: one that has brought nothing for this long is opened anew.
 */
const SILENCE_MS = 20_000;

/** Listens to a stream of this installation until the returned function is called. */
export function openStream(path: string, onMessage: (message: StreamMessage) => void): () => void {
  let source: EventSource | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = FIRST_PAUSE_MS;

  function stillAlive(): void {
    clearTimeout(silence);
    silence = setTimeout(openAnew, SILENCE_MS);
  }

  function openAnew(): void {
    source?.close();
    onMessage({ is: 'away', refused: false });
    open();
  }

  function open(): void {
    source = new EventSource(path);
    stillAlive();
    source.onopen = () => {
      stillAlive();
      pauseMs = FIRST_PAUSE_MS;
      onMessage({ is: 'open' });
    };
    source.onerror = () => {
      // The browser retries by itself, except after an HTTP error: then we retry.
      const refused = source?.readyState === EventSource.CLOSED;
      onMessage({ is: 'away', refused });
      if (!refused) return;
      clearTimeout(silence);
      again = setTimeout(open, pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    };
    source.addEventListener('heartbeat', stillAlive);
    for (const kind of KINDS)
      source.addEventListener(kind, ({ data }) => {
        stillAlive();
        onMessage({ is: 'event', kind, data: String(data) });
      });
  }

  open();
  return () => {
    source?.close();
    clearTimeout(again);
    clearTimeout(silence);
  };
}
