// The baseline of lists: a bare node:http that sends the same bytes from memory.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

let body = Buffer.alloc(0);
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.on('message', (message: { body: string }) => {
  body = Buffer.from(message.body);
  process.send?.({ kind: 'holds' });
});
const server = createServer((_request, response) => {
  response.setHeader('content-type', 'application/json');
  response.setHeader('content-length', body.length);
  response.end(body);
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.send?.({ kind: 'ready', url: `http://127.0.0.1:${port}` });
});
