// `npm run simulate -- cells`: a growing world of cells under every strategy of placement, from one seed.
import { helpOf, numbersIn } from './numbers.ts';
import { USUAL_GROWTH, USUAL_TAIL } from './organizations.ts';
import { FULL, RELIEVED, STRATEGIES } from './placement.ts';
import { count, markdown } from './table.ts';
import { type Figures, grow, type World } from './world.ts';

const NUMBERS = {
  seed: { usual: 1, least: 0, whole: true, about: 'the same seed grows the same organizations' },
  months: { usual: 36, least: 1, most: 600, whole: true, about: 'months to simulate' },
  from: { usual: 100_000, least: 0, whole: true, about: 'monitors in the beginning' },
  to: { usual: 1_000_000, least: 1, most: 10_000_000, whole: true, about: 'monitors in the end' },
  cell: { usual: 20_000, least: 100, whole: true, about: 'monitors that a cell carries' },
  'largest-organization': { usual: USUAL_TAIL.most, least: 10, whole: true, about: 'monitors at most' },
  growth: {
    usual: USUAL_GROWTH.perMonth,
    least: 0,
    most: 1,
    about: 'share an organization grows by, a month',
  },
  leaps: { usual: USUAL_GROWTH.leaps, least: 0, most: 1, about: 'share that suddenly triples, a month' },
  leaves: { usual: USUAL_GROWTH.leaves, least: 0, most: 0.9, about: 'share that leaves, a month' },
  'lines-a-monitor': { usual: 19_000, least: 0, about: 'lines of a monitor that move with it' },
  'export-rate': { usual: 7_500, least: 1, about: 'lines exported a second' },
  'import-rate': { usual: 9_700, least: 1, about: 'lines imported a second' },
  'move-minutes': { usual: 2, least: 0, about: 'minutes of every move, however small' },
  'days-between-failures': { usual: 180, least: 0.1, about: 'days until a cell fails' },
  'failure-minutes': { usual: 30, least: 0, about: 'minutes a failed cell is away' },
} as const;

const HELP = `Usage: npm run simulate -- cells [--NAME N ...]

Grows organizations of very different sizes month by month, places them into cells (an installation each) by several strategies,
moves some out of a cell that is over ${FULL * 100} % full until it is ${RELIEVED * 100} % full, lets cells fail, and prints what each strategy took.

${helpOf(NUMBERS)}`;

/** Prints the table; returns the exit code. */
export function simulateCells(words: string[]): number {
  const given = numbersIn(words, NUMBERS);
  if (given === null || typeof given === 'string') {
    (given === null ? process.stdout : process.stderr).write(given === null ? HELP : `${given}\n\n${HELP}`);
    return given === null ? 0 : 2;
  }
  const world: World = {
    seed: given.seed,
    months: given.months,
    from: given.from,
    to: given.to,
    capacity: given.cell,
    tail: { ...USUAL_TAIL, most: given['largest-organization'] },
    growth: { perMonth: given.growth, leaps: given.leaps, leaves: given.leaves },
    pace: {
      exportedPerSecond: given['export-rate'],
      importedPerSecond: given['import-rate'],
      linesPerMonitor: given['lines-a-monitor'],
      fixedSeconds: given['move-minutes'] * 60,
    },
    reliability: {
      betweenHours: given['days-between-failures'] * 24,
      lastsHours: given['failure-minutes'] / 60,
    },
  };
  const found = STRATEGIES.map((strategy) => ({ strategy, figures: grow(world, strategy) }));
  const rows = found.map(({ strategy, figures }) => [strategy.name, ...cellsOf(figures)]);
  const { organizations, monitors } = found[0]!.figures;
  process.stdout.write(
    `seed ${given.seed}: ${count(organizations)} organizations with ${count(monitors)} monitors after ${given.months} months; ` +
      `a cell carries ${count(given.cell)}\n\n${markdown(HEAD, rows)}\n`,
  );
  return 0;
}

const HEAD = [
  'Strategy',
  'Cells (full)',
  'Cell-months',
  'Overloads',
  'Moves',
  'Monitors moved',
  'Longest move',
  'Alarms wait',
  'Largest cell',
  'Without monitoring, a year',
  'Worst moment',
];

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function cellsOf(figures: Figures): string[] {
  const { cells, fill, cellMonths, overloads, moves, movedMonitors, longestMove } = figures;
  return [
    `${cells} (${percent(fill)})`,
    count(cellMonths),
    count(overloads),
    count(moves),
    count(movedMonitors),
    `${longestMove.toFixed(1)} h`,
    movedMonitors === 0 ? '-' : `${(figures.monitorHoursMoving / movedMonitors).toFixed(1)} h`,
    percent(figures.largestShare),
    `${figures.minutesWithout.toFixed(0)} min`,
    percent(figures.worstShare),
  ];
}
