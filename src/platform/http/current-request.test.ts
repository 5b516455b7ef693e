import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

/** A server of its own in a process of its own: an uncaught error would end the test runner as well. */
const PROGRAM = `
import { makeHttpServer } from './server.ts';
import { endRequestOf } from './current-request.ts';
import { createLog } from '../log.ts';
const entered = [];
for (const kind of ['uncaughtException', 'unhandledRejection'])
  process.on(kind, (error) => entered.push([kind, error.message, endRequestOf(error)?.route ?? null]));
const http = makeHttpServer({ log: createLog('silent'), baseUrl: 'http://127.0.0.1', trustProxy: 0 });
const never = new Promise(() => {});
http.get('/timer', () => { setTimeout(() => { throw new Error('in a timer'); }, 1); return never; });
http.get('/rejected', () => { void Promise.resolve().then(() => { throw new Error('in a promise'); }); return never; });
http.get('/late', (_request, reply) => {
  reply.hijack();
  reply.raw.write('begun');
  setTimeout(() => { throw new Error('while it streams'); }, 1);
});
http.get('/healthz', () => ({ ok: true }));
const url = await http.listen({ host: '127.0.0.1', port: 0 });
const ask = (path) => fetch(url + path).then(async (r) => [r.status, await r.text().then(() => 'whole', () => 'cut')]);
const answers = [];
for (const path of ['/timer', '/rejected', '/late', '/healthz']) answers.push(await ask(path));
setTimeout(() => { throw new Error('of nobody'); }, 1);
await new Promise((resolve) => setTimeout(resolve, 50));
console.log(JSON.stringify({ answers, entered }));
process.exit(0);
`;

test('an uncaught error ends the request that it belongs to, and no other', async () => {
  const words = [
    '--input-type=module',
    '--eval',
    PROGRAM.replaceAll("from './", `from '${import.meta.dirname}/`).replaceAll(
      "from '../",
      `from '${join(import.meta.dirname, '..')}/`,
    ),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, words);
  assert.deepEqual(JSON.parse(stdout), {
    answers: [
      [500, 'whole'],
      [500, 'whole'],
      [200, 'cut'],
      [200, 'whole'],
    ],
    entered: [
      ['uncaughtException', 'in a timer', '/timer'],
      ['unhandledRejection', 'in a promise', '/rejected'],
      ['uncaughtException', 'while it streams', '/late'],
      ['uncaughtException', 'of nobody', null],
    ],
  });
});
