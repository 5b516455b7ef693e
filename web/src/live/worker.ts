// One for all tabs of a browser: a browser opens six connections to a server over HTTP/1.1, and a stream in each tab
// would leave the seventh tab, and every read of the others, waiting for ever.
import { openStream } from './stream.ts';
import { makeSwitchboard, type PortMessage } from './switchboard.ts';

const say = makeSwitchboard(openStream);

self.addEventListener('connect', (connected) => {
  const [port] = (connected as MessageEvent).ports;
  port?.addEventListener('message', ({ data }) => say(port, data as PortMessage));
  port?.start();
});
