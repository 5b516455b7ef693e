// A target that costs a probe's main loop as much as it can, in a process of its own. Tells its port.
import { type AddressInfo, createServer } from 'node:net';
import { flood } from '../harness/listeners.ts';

/** HTTP/2: an empty SETTINGS frame, then WINDOW_UPDATE frames of one byte each without end. */
const SETTINGS = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
const WINDOW_UPDATE = Buffer.from([0, 0, 4, 8, 0, 0, 0, 0, 0, 0, 0, 0, 1]);

const target = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.write(SETTINGS);
    flood(socket, WINDOW_UPDATE);
  });
});
target.listen(0, '127.0.0.1', () => process.send?.((target.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
