// `npm run container`: makes the image of the Containerfile, and tries what docs/installing.md says of it. As root on Debian; what
// public images would be pulled for is made from Debian's packages.
import { closedPort } from '#test/harness/listeners.ts';
import { findServer, providePrograms } from '#test/harness/provide-servers.ts';
import { NEEDED, openPodman } from './podman.ts';
import { STEPS } from './steps.ts';

const words = process.argv.slice(2);
if (words.length > 0) {
  const isHelp = words.every((word) => word === '--help' || word === '-h');
  const steps = STEPS.map(({ says }) => `  ${says}`).join('\n');
  const text = `npm run container    makes the container image and tries it, in about ten minutes and with 4 GB in /var/tmp\n\n${steps}\n`;
  process.stderr.write(
    isHelp ? text : `It takes no words: ${words.join(' ')}. See npm run container -- --help.\n`,
  );
  process.exit(isHelp ? 0 : 2);
}
if (process.getuid?.() !== 0) {
  process.stderr.write('Only root may make the image that stands in for a public one: run it as root.\n');
  process.exit(1);
}
await providePrograms(NEEDED);
const missing = Object.keys(NEEDED).filter((program) => findServer(program) === null);
if (missing.length > 0) {
  process.stderr.write(`There is no ${missing.join(' and no ')} on this machine.\n`);
  process.exit(1);
}

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => stop.abort(new Error(`ended by ${signal}`)));
const podman = await openPodman(stop.signal);
const stopped = new Promise<never>((_, reject) => {
  stop.signal.addEventListener('abort', () => reject(stop.signal.reason));
});
stopped.catch(() => undefined);
try {
  const ports = { whole: await closedPort(), compose: await closedPort() };
  for (const { says, act } of STEPS) {
    const startedAt = performance.now();
    const found = await Promise.race([act(podman, ports), stopped]);
    const took = ((performance.now() - startedAt) / 1000).toFixed(0);
    process.stdout.write(`✔ ${says}: ${found} (${took} s)\n`);
  }
} catch (error) {
  process.stdout.write(`✖ ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await podman.end();
}
process.exit();
