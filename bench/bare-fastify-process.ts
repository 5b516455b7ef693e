// The baseline of public pages: a bare Fastify route that sends the same bytes from memory, with an ETag.
import fastify from 'fastify';

let body = Buffer.alloc(0);
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.on('message', (message: { body: string }) => {
  body = Buffer.from(message.body, 'base64');
  process.send?.({ kind: 'holds', cpuMs: cpuMs() });
});
const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};
const http = fastify({ logger: false });
http.get('/*', (_request, reply) =>
  reply
    .headers({ 'content-type': 'text/html; charset=utf-8', 'content-encoding': 'gzip', etag: '"a"' })
    .send(body),
);
http.get('/cpu', () => ({ cpuMs: cpuMs() }));
const url = await http.listen({ host: '127.0.0.1', port: 0 });
process.send?.({ kind: 'ready', url });
