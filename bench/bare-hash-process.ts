// The baseline of sign-ins: the sign-in library's own check of a password, and nothing else.
import { verifyPassword } from 'better-auth/crypto';

type Order = { hash: string; password: string; inFlight: number; seconds: number };

process.once('disconnect', () => process.exit());
process.on('SIGINT', () => undefined); // the benchmark ends it, in order
process.once('message', (order: Order) => {
  run(order).then(
    (done) => process.send?.(done),
    (error: unknown) => {
      process.stderr.write(`hash: ${String(error)}\n`);
      process.exit(1);
    },
  );
});
process.send?.({ kind: 'ready' });

async function run({ hash, password, inFlight, seconds }: Order) {
  const startedAtMs = performance.now();
  let hashes = 0;
  const worker = async () => {
    while (performance.now() - startedAtMs < seconds * 1000) {
      if (!(await verifyPassword({ hash, password }))) throw new Error('the password does not fit');
      hashes += 1;
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return { kind: 'done', hashes, seconds: (performance.now() - startedAtMs) / 1000 };
}
