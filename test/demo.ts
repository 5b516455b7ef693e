// `npm run demo`: the whole line once, in front of your eyes. Everything runs on this machine, in a temporary folder.
import { parseArgs } from 'node:util';
import { runOutage } from './outage.ts';

const { values } = parseArgs({ options: { help: { type: 'boolean', short: 'h' } }, strict: false });
if (values.help) {
  process.stdout.write(
    'npm run demo: starts Tocsin on a temporary folder, watches a little web server every second, breaks it, and\n' +
      'shows the incident with its evidence, the signed deliveries, the recovery, and how long each step took.\n',
  );
} else {
  const say = (line: string) => process.stdout.write(`${line}\n`);
  await runOutage(say);
}
