// How a tab listens: through the worker that all tabs share, or directly in browsers without shared workers.
import { openStream, type StreamMessage } from './stream.ts';
import type { PortMessage } from './stream-hub.ts';

/** Listens to a stream until the returned function is called; `session` identifies whose stream it is. */
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
  // Closing a tab runs no effect cleanups; a tab that returns from the back/forward cache resumes.
  window.addEventListener('pagehide', end);
  window.addEventListener('pageshow', startAgain);
  return () => {
    window.removeEventListener('pagehide', end);
    window.removeEventListener('pageshow', startAgain);
    end();
    port.close();
  };
}
