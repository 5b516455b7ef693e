// One worker for all tabs of a browser. Over HTTP/1.1 a browser opens six connections to a server: with one stream per tab,
// the seventh tab and every read of the others would wait for ever.
import { openStream } from './stream.ts';
import { makeStreamHub, type PortMessage } from './stream-hub.ts';

const say = makeStreamHub(openStream);

self.addEventListener('connect', (connected) => {
  const [port] = (connected as MessageEvent).ports;
  port?.addEventListener('message', ({ data }) => say(port, data as PortMessage));
  port?.start();
});
