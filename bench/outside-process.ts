// The outside world: a web server with an address for each monitor (/0, /1, …), and a webhook receiver. Bare sockets for the
// server, because the target must cost less than the checks. One process, so that there is one clock.
import { createServer } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import type { Delivery, FromOutside, ToOutside } from './outside.ts';

/** Milliseconds on the wall clock, with a fraction. */
const nowMs = () => performance.timeOrigin + performance.now();
const say = (message: FromOutside) => void process.send?.(message);

const UP =
  'HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 12\r\nconnection: close\r\n\r\nall is well\n';
const DOWN =
  'HTTP/1.1 503 Service Unavailable\r\ncontent-type: text/plain\r\ncontent-length: 13\r\nconnection: close\r\n\r\nout of order\n';

let arrivals: number[] = [];
let recording = false;
/** Addresses that answer 503, 503, 200, 200, …, and the times of their deciding answers: the second of each pair. */
const turns = new Map<
  number,
  { answers: number; atMs: number; deciding: { opened: number[]; resolved: number[] } }
>();
let apartMs = 0;

const target = net.createServer({ noDelay: true }, (socket) => {
  socket.on('error', () => socket.destroy());
  socket.once('data', (chunk: Buffer) => {
    // "GET /123 HTTP/1.1"
    const address = Number.parseInt(chunk.toString('latin1', 5, 16), 10);
    if (recording) arrivals.push(address, nowMs());
    const turn = turns.get(address);
    if (turn === undefined) return socket.end(UP);
    const isCheck = turn.answers === 0 || nowMs() - turn.atMs >= apartMs;
    if (isCheck) turn.answers += 1;
    if (isCheck) turn.atMs = nowMs();
    const place = (turn.answers - 1) % 4;
    socket.end(place < 2 ? DOWN : UP);
    if (!isCheck) return;
    if (place % 2 === 1) turn.deciding[place === 1 ? 'opened' : 'resolved'].push(nowMs());
  });
});

const receiver = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const atMs = nowMs();
  response.writeHead(204).end();
  const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as {
    event: 'opened' | 'resolved';
    monitor: { name: string };
    incident: { id: string };
  };
  const address = Number(/\d+$/.exec(body.monitor.name)?.[0]);
  // This delivery is about the last deciding answer: the next one comes a whole turn later.
  const deciding = turns.get(address)?.deciding[body.event].splice(0) ?? [];
  const decidedAtMs = deciding.at(-1) ?? Number.NaN;
  const delivery: Delivery = { event: body.event, incidentId: body.incident.id, decidedAtMs, atMs };
  say({ kind: 'delivery', delivery });
});

process.on('message', (message: ToOutside) => {
  if (message.kind === 'record') {
    arrivals = [];
    recording = true;
  } else if (message.kind === 'report') {
    recording = false;
    say({ kind: 'arrivals', arrivals });
  } else if (message.kind === 'take turns') {
    ({ apartMs } = message);
    for (const address of message.addresses)
      turns.set(address, { answers: 0, atMs: 0, deciding: { opened: [], resolved: [] } });
  } else turns.clear();
});
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order

const listen = (server: net.Server) =>
  new Promise<number>((resolve) =>
    server.listen({ host: '127.0.0.1', port: 0, backlog: 4096 }, () =>
      resolve((server.address() as AddressInfo).port),
    ),
  );
const [port, hookPort] = await Promise.all([listen(target), listen(receiver)]);
say({ kind: 'ready', url: `http://127.0.0.1:${port}`, hookUrl: `http://127.0.0.1:${hookPort}/hook` });
