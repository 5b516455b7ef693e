// Polyfills for Node 20: the single files of agent and probe run on the machine's own Node, while the server brings Node 26.
// Only the entries of those files import it, first. Each polyfill applies only where Node lacks the function.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import tls from 'node:tls';
import { Worker } from 'node:worker_threads';
import zlib from 'node:zlib';

type Bag = Record<string, unknown>;

function provide(on: object, name: string, made: unknown): void {
  if (!(name in on)) Object.defineProperty(on, name, { value: made, writable: true, configurable: true });
}

// Node 20.0 to 20.16 lack these, too.
const require = createRequire(import.meta.url);
provide(process, 'getBuiltinModule', (name: string) => require(name));

provide(zlib, 'crc32', (text: string) => {
  let sum = 0xffffffff;
  for (const byte of Buffer.from(text)) sum = (sum >>> 8) ^ (CRC_TABLE[(sum ^ byte) & 0xff] ?? 0);
  return ~sum >>> 0;
});

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

provide(AbortSignal, 'any', (signals: Iterable<AbortSignal>) => {
  const either = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason);
    else
      signal.addEventListener('abort', () => either.abort(signal.reason), {
        once: true,
        signal: either.signal,
      });
  }
  return either.signal;
});

provide(URL, 'parse', (text: string, base?: string) =>
  URL.canParse(text, base) ? new URL(text, base) : null,
);

provide(Promise, 'withResolvers', () => {
  const made: Bag = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  return made;
});

provide(Map, 'groupBy', <T, K>(items: Iterable<T>, keyOf: (item: T, index: number) => K) => {
  const groups = new Map<K, T[]>();
  let index = 0;
  for (const item of items) {
    const key = keyOf(item, index++);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
});

provide(Uint8Array, 'fromHex', (text: string) => {
  if (!/^(?:[0-9a-f]{2})*$/i.test(text)) throw new SyntaxError('pairs of hexadecimal digits are expected');
  return Uint8Array.from(Buffer.from(text, 'hex'));
});

// As with { lastChunkHandling: 'strict' }: with padding, and without bits beyond the last byte. White space is skipped.
provide(Uint8Array, 'fromBase64', (text: string) => {
  const dense = text.replace(/[\t\n\f\r ]+/g, '');
  const bytes = Buffer.from(dense, 'base64');
  if (bytes.toString('base64') !== dense) throw new SyntaxError('base64 with padding is expected');
  return Uint8Array.from(bytes);
});

// Before Node 22.15, the certificates of Node and those of NODE_EXTRA_CA_CERTS. Node has logged a warning if it cannot read
// that file.
provide(tls, 'getCACertificates', () => [...tls.rootCertificates, ...extraCertificates()]);

function extraCertificates(): string[] {
  const path = process.env.NODE_EXTRA_CA_CERTS;
  if (!path) return [];
  try {
    return (
      readFileSync(path, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
    );
  } catch {
    return [];
  }
}

// Before Node 24, a thread's processor time cannot be read from outside, so its wall time at work counts: more on a busy
// machine, never less.
const atWorkMicroseconds = ({ active }: { active: number }) => ({ user: active * 1000, system: 0 });
provide(process, 'threadCpuUsage', () => atWorkMicroseconds(performance.eventLoopUtilization()));
provide(Worker.prototype, 'cpuUsage', function (this: Worker) {
  return Promise.resolve(atWorkMicroseconds(this.performance.eventLoopUtilization()));
});
