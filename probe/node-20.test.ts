// Compares the functions that Node has with the ones provided for versions without them, on the machine's own Node.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import zlib from 'node:zlib';

/** Removes Node's function, and has the replacement provided; returns Node's function, and restores it after the test. */
async function provided(t: { after: (act: () => void) => void }) {
  const places = Object.entries(OF).map(([name, on]): [object, string] => [on, name]);
  const own = new Map(places.map(([on, name]) => [name, Object.getOwnPropertyDescriptor(on, name)!]));
  for (const [on, name] of places) delete (on as Record<string, unknown>)[name];
  t.after(() => {
    for (const [on, name] of places) Object.defineProperty(on, name, own.get(name)!);
  });
  await import('./node-20.ts');
  return own;
}
const OF: Readonly<Record<string, object>> = {
  withResolvers: Promise,
  groupBy: Map,
  parse: URL,
  any: AbortSignal,
  crc32: zlib,
  getBuiltinModule: process,
  fromHex: Uint8Array,
  fromBase64: Uint8Array,
  getCACertificates: tls,
  threadCpuUsage: process,
  cpuUsage: Worker.prototype,
};

test('features that Node 20 lacks are polyfilled, and behave as in newer versions', async (t) => {
  const own = await provided(t);
  const native =
    (name: string, on: object) =>
    (...args: unknown[]) =>
      own.get(name)!.value.apply(on, args);

  const { promise, resolve } = Promise.withResolvers<number>();
  resolve(1);
  assert.equal(await promise, 1);
  const failing = Promise.withResolvers<never>();
  failing.reject(new Error('so'));
  await assert.rejects(failing.promise, /so/);

  const parity = (item: number, index: number) => (item + index) % 2;
  assert.deepEqual(Map.groupBy([1, 2, 4, 5], parity), native('groupBy', Map)([1, 2, 4, 5], parity));

  const both = (name: 'fromHex' | 'fromBase64', text: string, ...rest: unknown[]) => {
    const outcome = (decode: (...args: unknown[]) => unknown) => {
      try {
        return decode(text, ...rest);
      } catch (error) {
        return (error as Error).name;
      }
    };
    const mine = Uint8Array[name] as (...args: unknown[]) => unknown;
    assert.deepEqual(outcome(mine), outcome(native(name, Uint8Array)), `${name} ${JSON.stringify(text)}`);
  };
  for (const text of ['', '00', 'ffFF0a', 'f', 'fg', ' 00', '0x00']) both('fromHex', text);
  for (const text of [
    '',
    'AA==',
    'AAA=',
    'AAAA',
    'AA',
    'AB==',
    'A',
    'A A = =',
    '-_==',
    '+/8=',
    'AA==AA==',
    '====',
  ])
    both('fromBase64', text, { lastChunkHandling: 'strict' });

  for (const [text, base] of [
    ['https://example.com/a'],
    ['/b', 'https://example.com'],
    ['/b'],
    [''],
  ] as const)
    assert.deepEqual(URL.parse(text, base), native('parse', URL)(text, base), text);
  for (const text of ['', 'a', '{"ü":[1,2,3]}', 'x'.repeat(10_000)])
    assert.equal(zlib.crc32(text), native('crc32', zlib)(text), text.slice(0, 20));
  assert.equal(process.getBuiltinModule('node:zlib'), zlib);
  const [one, other] = [new AbortController(), new AbortController()];
  const either = AbortSignal.any([one.signal, other.signal]);
  assert.equal(either.aborted, false);
  other.abort('the other');
  one.abort('the one');
  assert.deepEqual([either.aborted, either.reason], [true, 'the other']);
  assert.equal(AbortSignal.any([new AbortController().signal, one.signal]).reason, 'the one');

  const { length } = tls.rootCertificates;
  assert.deepEqual(tls.getCACertificates('default').slice(0, length), [...tls.rootCertificates]);
  const { user, system } = process.threadCpuUsage();
  assert.ok(user >= 0 && system === 0);

  const endless = `require('node:worker_threads').parentPort.once('message', () => { for (;;); })`;
  const worker = new Worker(endless, { eval: true });
  t.after(() => worker.terminate());
  worker.postMessage('go');
  // Readable from outside, though the thread never ends its turn.
  while ((await worker.cpuUsage()).user < 50_000) await new Promise((resolve) => setTimeout(resolve, 5));
});
