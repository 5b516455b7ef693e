// A small web server that a test can break and repair: the target of monitors.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Target = {
  url: string;
  /** Status it answers with from now on. */
  answer: (status: number) => void;
  /** The times of its answers, newest last: status and performance.timeOrigin-based milliseconds. */
  answers: { status: number; atMs: number }[];
  stop: () => Promise<void>;
};

/** Starts the server on a free port of this machine. */
export async function startTarget(): Promise<Target> {
  let status = 200;
  const answers: Target['answers'] = [];
  const server = createServer((_request, response) => {
    response
      .writeHead(status, { 'content-type': 'text/plain' })
      .end(status < 400 ? 'all is well\n' : 'out of order\n', () => {
        answers.push({ status: response.statusCode, atMs: performance.timeOrigin + performance.now() });
      });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    answer: (next) => {
      status = next;
    },
    answers,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
