// A world of cells that grows month by month under one strategy, and what it took. The same seed grows the same
// organizations under every strategy.
import { type Chance, chance } from '../simulation/chance.ts';
import { failuresOf, type Reliability, worstMoment } from './failures.ts';
import { moveSeconds, movesOut, type Pace, sum } from './moves.ts';
import { aMonthLater, type Growth, type Organization, sizeAt, type Tail } from './organizations.ts';
import { type Cell, FULL, place, RELIEVED, type Strategy } from './placement.ts';

export type World = {
  seed: number;
  months: number;
  /** Monitors of the first and of the last month; newcomers make up the difference. */
  from: number;
  to: number;
  /** Monitors that a cell carries. */
  capacity: number;
  tail: Tail;
  growth: Growth;
  pace: Pace;
  reliability: Reliability;
};

export type Figures = {
  organizations: number;
  monitors: number;
  /** At the end. */
  cells: number;
  cellMonths: number;
  /** Of the capacity of all cells, at the end. */
  fill: number;
  /** How often a cell was over its capacity at the end of a month, before anybody moved. */
  overloads: number;
  moves: number;
  movedMonitors: number;
  /** Of all moves, in hours. */
  longestMove: number;
  /** Sum over all monitors of the hours of their moves. */
  monitorHoursMoving: number;
  /** Share of organizations in the cell with most of them, at the end. */
  largestShare: number;
  failures: number;
  /** Minutes without monitoring of the average organization in a year. */
  minutesWithout: number;
  /** Largest share of organizations without monitoring at the same moment. */
  worstShare: number;
};

type Inhabited = Cell & { organizations: Organization[] };

const HOURS_OF_MONTH = 730;

/** Grows the world under the strategy; the same options give the same figures. */
export function grow(world: World, strategy: Strategy): Figures {
  const { months, from, to, capacity } = world;
  // Of their own, so that neither depends on how often a strategy moves somebody.
  const [people, failing] = [chance(world.seed), chance(world.seed + 1_000_003)];
  const cells: Inhabited[] = [];
  const figures = nothingYet();
  let no = 0;
  let turn = 0;
  let organizationHours = 0;
  let hoursWithout = 0;

  const settle = (organization: Organization, among: readonly Inhabited[] = cells): void => {
    const chosen = place(strategy, among, organization.monitors, capacity, turn++);
    const cell = cells.find((each) => each.no === chosen?.no) ?? opened(cells);
    cell.organizations.push(organization);
    cell.monitors += organization.monitors;
  };
  const relieve = (cell: Inhabited): void => {
    if (cell.monitors > capacity) figures.overloads += 1;
    if (cell.monitors <= FULL * capacity || cell.organizations.length < 2) return;
    const leaving = movesOut(cell.organizations, cell.monitors - RELIEVED * capacity);
    const gone = new Set(leaving);
    cell.organizations = cell.organizations.filter((organization) => !gone.has(organization));
    cell.monitors -= sum(leaving);
    for (const organization of leaving) {
      noteMove(figures, organization, world.pace);
      settle(
        organization,
        cells.filter((other) => other !== cell),
      );
    }
  };

  for (let month = 0; month <= months; month++) {
    if (month > 0) ageAll(cells, world, people);
    const aim = from + ((to - from) * month) / months;
    for (let monitors = total(cells); monitors < aim; ) {
      const newcomer = { no: no++, monitors: sizeAt(people.share(), world.tail) };
      settle(newcomer);
      monitors += newcomer.monitors;
    }
    for (const cell of [...cells]) relieve(cell);
    figures.cellMonths += cells.length;

    const organizations = cells.reduce((n, cell) => n + cell.organizations.length, 0);
    const failures = cells.flatMap((cell) => failuresOf(cell.no, HOURS_OF_MONTH, world.reliability, failing));
    const shareOf = (cell: number) => (cells[cell]?.organizations.length ?? 0) / organizations;
    figures.failures += failures.length;
    figures.worstShare = Math.max(figures.worstShare, worstMoment(failures, shareOf));
    organizationHours += organizations * HOURS_OF_MONTH;
    for (const { cell, fromHours, untilHours } of failures)
      hoursWithout += (cells[cell]?.organizations.length ?? 0) * (untilHours - fromHours);
    figures.organizations = organizations;
    figures.largestShare = Math.max(...cells.map((cell) => shareOf(cell.no)));
  }
  const monitors = total(cells);
  return {
    ...figures,
    monitors,
    cells: cells.length,
    fill: monitors / (cells.length * capacity),
    minutesWithout: (hoursWithout / organizationHours) * HOURS_OF_MONTH * 12 * 60,
  };
}

/** Cells are numbered by their place in the list. */
function opened(cells: Inhabited[]): Inhabited {
  const cell: Inhabited = { no: cells.length, monitors: 0, organizations: [] };
  cells.push(cell);
  return cell;
}

/** A month later; in the order of the organizations' numbers, so that every strategy has the same ones. */
function ageAll(cells: readonly Inhabited[], { growth, tail }: World, people: Chance): void {
  const all = cells
    .flatMap((cell) => cell.organizations.map((organization) => ({ cell, organization })))
    .sort((a, b) => a.organization.no - b.organization.no);
  for (const cell of cells) cell.organizations = [];
  for (const { cell, organization } of all) {
    const later = aMonthLater(organization, growth, tail, people);
    if (later) cell.organizations.push(later);
  }
  for (const cell of cells) cell.monitors = sum(cell.organizations);
}

function noteMove(figures: Figures, { monitors }: Organization, pace: Pace): void {
  const hours = moveSeconds(monitors, pace) / 3600;
  figures.moves += 1;
  figures.movedMonitors += monitors;
  figures.longestMove = Math.max(figures.longestMove, hours);
  figures.monitorHoursMoving += monitors * hours;
}

const total = (cells: readonly Cell[]) => cells.reduce((n, cell) => n + cell.monitors, 0);

function nothingYet(): Figures {
  return {
    organizations: 0,
    monitors: 0,
    cells: 0,
    cellMonths: 0,
    fill: 0,
    overloads: 0,
    moves: 0,
    movedMonitors: 0,
    longestMove: 0,
    monitorHoursMoving: 0,
    largestShare: 0,
    failures: 0,
    minutesWithout: 0,
    worstShare: 0,
  };
}
