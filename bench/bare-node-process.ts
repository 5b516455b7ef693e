// The baseline of memory: a node that listens on http and does nothing.
import { createServer } from 'node:http';

process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
createServer((_request, response) => void response.end()).listen(0, '127.0.0.1', () => {
  process.send?.({ kind: 'ready' });
});
