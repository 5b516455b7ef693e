// How a tab listens: over the worker that all tabs share, or by itself in a browser that has no such workers.
import { openStream, type StreamMessage } from './stream.ts';
import type { PortMessage } from './switchboard.ts';

/** Listens to a stream until the returned function is called; `session` says whose stream it is. */
export function listen(
  path: string,
  session: string,
  onMessage: (message: StreamMessage) => void,
): () => void {
  if (typeof SharedWorker === 'undefined') return openStream(path, onMessage);
  const { port } = new SharedWorker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: 'live',
  });
  const say = (wanted: boolean) => port.postMessage({ listen: wanted, path, session } satisfies PortMessage);
  const start = () => say(true);
  const end = () => say(false);
  const startAgain = ({ persisted }: PageTransitionEvent) => {
    if (persisted) start();
  };
  port.onmessage = ({ data }) => onMessage(data as StreamMessage);
  start();
  // A tab that is closed ends no effects; one that was put aside and comes back goes on.
  window.addEventListener('pagehide', end);
  window.addEventListener('pageshow', startAgain);
  return () => {
    window.removeEventListener('pagehide', end);
    window.removeEventListener('pageshow', startAgain);
    end();
    port.close();
  };
}
