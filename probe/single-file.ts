// The probe as one file (docs/rules/regions-and-probes.md#the-probe-as-one-file): the program, and the judge of answers in a
// thread of it.
import './node-20.ts';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  const { runCommand } = await import('./command.ts');
  process.exit(await runCommand(process.argv.slice(2)));
} else {
  await import('./assertions/worker.ts');
}
