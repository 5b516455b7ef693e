// Runs inside a network namespace: takes connections at a Unix socket, which no namespace keeps out, and passes them on to
// a port there. Arguments: the socket's path and the port.
import { connect, createServer } from 'node:net';

const [path = '', port = ''] = process.argv.slice(2);
createServer((near) => {
  const far = connect(Number(port), '127.0.0.1');
  for (const [socket, other] of [[near, far] as const, [far, near] as const])
    socket.on('error', () => undefined).on('close', () => other.destroy());
  near.pipe(far).pipe(near);
}).listen(path);
