// The baseline of memory: a node that listens on http and has nothing to do.
import { createServer } from 'node:http';

process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // ended by the benchmark, in its order
createServer((_request, response) => void response.end()).listen(0, '127.0.0.1', () => {
  process.send?.({ kind: 'ready' });
});
