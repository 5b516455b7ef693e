// `npm run simulate -- cost`: what 1,000 monitors cost a month on rented machines, with your prices.
import { type Asked, bytesPerMonitor, costOf, type Prices } from './cost.ts';
import { helpOf, numbersIn } from './numbers.ts';
import { count, markdown } from './table.ts';

const NUMBERS = {
  interval: {
    usual: 60,
    least: 1,
    most: 86_400,
    about: 'seconds between two checks of a monitor in a region',
  },
  regions: { usual: 3, least: 1, most: 100, whole: true, about: 'regions of each monitor' },
  'raw-days': { usual: 30, least: 2, most: 100, about: 'days that single checks are kept' },
  'machine-price': { usual: 15, least: 0, about: 'a machine for servers and database, a month' },
  'machine-cores': { usual: 4, least: 1, about: 'its cores' },
  'probe-price': { usual: 5, least: 0, about: 'a machine for probes, a month' },
  'probe-cores': { usual: 2, least: 1, about: 'its cores' },
  'disk-price': { usual: 0.05, least: 0, about: 'a GB of disk, a month' },
  busy: { usual: 0.5, least: 0.01, most: 1, about: 'share of its cores that a machine may use on average' },
  cell: { usual: 20_000, least: 1, whole: true, about: 'monitors of a cell; more are several cells' },
} as const;

const SIZES = [1_000, 5_000, 20_000, 100_000, 1_000_000];

const HELP = `Usage: npm run simulate -- cost [--NAME N ...]

Computes what monitors need and cost, from the figures in docs/performance.md and from prices, which are yours to give: the
usual ones are assumptions, in any currency.

${helpOf(NUMBERS)}`;

/** Prints the table; returns the exit code. */
export function printCost(words: string[]): number {
  const given = numbersIn(words, NUMBERS);
  if (given === null || typeof given === 'string') {
    (given === null ? process.stdout : process.stderr).write(given === null ? HELP : `${given}\n\n${HELP}`);
    return given === null ? 0 : 2;
  }
  const asked = (monitors: number): Asked => ({
    monitors,
    intervalSeconds: given.interval,
    regions: given.regions,
    rawDays: given['raw-days'],
  });
  const prices: Prices = {
    machine: given['machine-price'],
    machineCores: given['machine-cores'],
    probe: given['probe-price'],
    probeCores: given['probe-cores'],
    diskGb: given['disk-price'],
    busy: given.busy,
    copies: 1,
  };
  const rows = SIZES.map((monitors) => {
    const cells = Math.ceil(monitors / given.cell);
    const alone = costOf(asked(monitors / cells), prices);
    const spare = costOf(asked(monitors / cells), { ...prices, copies: 2 });
    return [
      count(monitors),
      count(cells),
      count(alone.checksPerSecond),
      alone.serverCores.toFixed(2),
      alone.probeCores.toFixed(2),
      `${count(alone.diskGb)} GB`,
      `${alone.machines} + ${alone.probeMachines}`,
      alone.perThousandMonitors.toFixed(2),
      spare.perThousandMonitors.toFixed(2),
    ];
  });
  const head = [
    'Monitors',
    'Cells',
    'Checks a second',
    'Cores of server, database',
    'Cores of probes, a region',
    'Disk',
    'Machines + probes',
    'Per 1,000 monitors a month',
    'with a standby',
  ];
  process.stdout.write(
    `Each monitor every ${given.interval} s from ${given.regions} regions, single checks kept ${given['raw-days']} days: ` +
      `${(bytesPerMonitor(asked(1)) / 1e6).toFixed(1)} MB a monitor.\n` +
      `A machine of ${prices.machineCores} cores ${prices.machine}, one for probes of ${prices.probeCores} cores ${prices.probe}, ` +
      `a GB of disk ${prices.diskGb} a month; cores busy ${given.busy * 100} % on average.\n` +
      `The columns from checks to machines are per cell.\n\n${markdown(head, rows)}\n`,
  );
  return 0;
}
