// Targets that cost a probe as much as possible, in a process of their own. Reports their ports.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { flood } from '../harness/listeners.ts';

/** Ports of 127.0.0.1. */
export type FloodPorts = {
  /** HTTP/2: WINDOW_UPDATE frames of one byte each without end. */
  windowUpdates: number;
  /** gRPC: empty messages without end. */
  messages: number;
  /** HTTP: 2.4 MB of JSON. */
  json: number;
};

const frame = (type: number, flags: number, stream: number, payload: Buffer) =>
  Buffer.concat([Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, stream]), payload]);
const SETTINGS = frame(4, 0, 0, Buffer.alloc(0));
const WINDOW_UPDATE = frame(8, 0, 0, Buffer.from([0, 0, 0, 1]));
/** :status 200, content-type application/grpc. */
const HEADERS = frame(
  1,
  4,
  1,
  Buffer.concat([Buffer.from([0x88, 0x0f, 0x10, 16]), Buffer.from('application/grpc')]),
);
const MESSAGE = frame(0, 0, 1, Buffer.alloc(5));
const JSON_BYTES = Buffer.from(
  JSON.stringify(Array.from({ length: 100_000 }, (_, a) => ({ a, bcd: 'efgh' }))),
);

const answering = (greeting: Buffer, forEver: Buffer) =>
  createServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(greeting);
      flood(socket, forEver);
    });
  });

async function portOf(server: Server): Promise<number> {
  server.listen({ port: 0, host: '127.0.0.1', backlog: 1_024 });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

process.on('disconnect', () => process.exit());
process.send?.({
  windowUpdates: await portOf(answering(SETTINGS, WINDOW_UPDATE)),
  messages: await portOf(answering(Buffer.concat([SETTINGS, HEADERS]), MESSAGE)),
  json: await portOf(createHttpServer((_, response) => void response.end(JSON_BYTES))),
} satisfies FloodPorts);
