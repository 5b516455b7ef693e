// Makes checks of one kind as fast as it can, with a fixed concurrency, and reports their CPU time.
import net from 'node:net';
import { check as checkOnce } from '../probe/types.ts';
import type { KindsDone, KindsOrder } from './kinds.ts';
import { cpuSeconds } from './processes.ts';

const say = (message: KindsDone | { kind: 'ready' }) => void process.send?.(message);
process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order

process.once('message', (order: KindsOrder) => {
  measure(order).then(say, (error: unknown) => {
    process.stderr.write(`kinds: ${String(error)}\n`);
    process.exit(1);
  });
});
say({ kind: 'ready' });

async function measure({ check, barePort, howMany, atOnce }: KindsOrder): Promise<KindsDone> {
  let failed: string | null = null;
  const once = async () => {
    if (check === null) return connectOnce(barePort);
    const seen = await checkOnce(check.type, check.config, { policy: { allowPrivate: true } });
    if (seen.status !== 'up') failed ??= `${seen.status} ${seen.failure_class}: ${seen.detail}`;
  };
  const many = async (howOften: number) => {
    let left = howOften;
    const worker = async () => {
      while (left-- > 0) await once();
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };
  await many(Math.max(atOnce, Math.ceil(howMany / 10)));
  const startedAtMs = performance.now();
  const before = cpuSeconds([process.pid]);
  await many(howMany);
  const used = cpuSeconds([process.pid]) - before;
  return { kind: 'done', cpuSeconds: used, seconds: (performance.now() - startedAtMs) / 1000, failed };
}

function connectOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(port, '127.0.0.1', () => socket.destroy());
    socket.once('error', reject).once('close', () => resolve());
  });
}
