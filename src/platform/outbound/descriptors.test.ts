// A process without a free descriptor: failures for that reason are its own fault, not the target's.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

const PROGRAM = `
import { closeSync, openSync } from 'node:fs';
import { createResolver } from '${join(import.meta.dirname, 'resolve.ts')}';
import { loadLibrary } from '${join(import.meta.dirname, 'load-library.ts')}';

const resolver = createResolver({ servers: ['127.0.0.1:1'] });
const outcome = (asked) => asked.then(() => 'well', (error) => error.failureClass ?? error.code);
const outcomes = async () => [
  await outcome(resolver('shop.example.com', 'auto')),
  await outcome(loadLibrary(() => import('nodemailer'))),
];
const held = [];
try {
  for (;;) held.push(openSync('/dev/null'));
} catch {}
const without = await outcomes();
for (const one of held) closeSync(one);
process.stdout.write(JSON.stringify({ without, afterwards: await outcomes() }));
`;

test('without descriptors neither a name server nor a library is blamed, and with one both are retried', {
  skip: process.platform === 'win32' && 'there is no such limit',
}, () => {
  const words = ['-c', 'ulimit -n 64 && exec "$0" --input-type=module -e "$1"', process.execPath, PROGRAM];
  const said = execFileSync('/bin/sh', words, { cwd: import.meta.dirname, encoding: 'utf8' });
  assert.deepEqual(JSON.parse(said), {
    without: ['probe_exhausted', 'probe_exhausted'],
    afterwards: ['dns_unreachable', 'well'],
  });
});
