// The days of a monitor's window as bars in one SVG: height and colour show the state of each day. Days without events are
// dashes of one line, so that a page of hundreds of monitors stays small; the script separates the days again.
import { html, type Markup } from '#src/platform/html.ts';
import { incidentTitle } from '../incident-title.ts';
import type { PublicDay, PublicMonitor } from '../snapshot.ts';
import { filled } from '../words.ts';
import type { View } from './view.ts';

export type DayKind = 'up' | 'minor' | 'major' | 'maintenance' | 'unknown';

/** The most titles of incidents in the hint of a day. */
const MAX_TITLES = 2;

/** A day with less uptime than this is drawn as a bad one. */
const MAJOR_BELOW_PCT = 99;

/** Units between two bars, and from the left edge of one to that of the next if there are many. */
const GAP = 2;
const STEP = 6;
/** Units that few bars fill: they are wider instead of further apart. */
const FULL = 540;
const stepOf = (days: number): number => Math.max(STEP, Math.floor(FULL / days));

/** Top and bottom of a bar, in a box of 36; maintenance has a gap in the middle. */
const SHAPES: Readonly<Record<DayKind, readonly (readonly [number, number])[]>> = {
  up: [[6, 32]],
  minor: [[0, 32]],
  major: [[0, 36]],
  maintenance: [
    [6, 16],
    [20, 32],
  ],
  unknown: [[26, 32]],
};

export function kindOf({ uptimePct, downtimeSeconds, maintenanceSeconds }: PublicDay): DayKind {
  if (downtimeSeconds > 0) return uptimePct !== null && uptimePct < MAJOR_BELOW_PCT ? 'major' : 'minor';
  if (maintenanceSeconds > 0) return 'maintenance';
  return uptimePct === null ? 'unknown' : 'up';
}

type Run = { kind: DayKind; from: number; to: number };

/** Consecutive days of the same kind; both ends belong to the run. */
function runsOf(days: readonly PublicDay[]): Run[] {
  const runs: Run[] = [];
  for (const [at, day] of days.entries()) {
    const kind = kindOf(day);
    const last = runs.at(-1);
    if (last?.kind === kind) last.to = at;
    else runs.push({ kind, from: at, to: at });
  }
  return runs;
}

/** null if the page does not show the days of this monitor. */
export function bars({ id, days, label }: PublicMonitor, view: View): Markup | null {
  if (days === null || days.length === 0) return null;
  const { words } = view;
  const step = stepOf(days.length);
  const runs = runsOf(days);
  const unknown = runs.filter(({ kind }) => kind === 'unknown');
  const said = filled(barsSentence(days, view), { days: days.length, count: downDays(days).length });
  return html`<div class="bars" data-key="bars" data-label="${label}: ${said}" data-count="${days.length}" data-first="${days[0]!.date}" data-unknown="${unknown.map(({ from, to }) => `${from}-${to}`).join(' ')}"><svg class="n${sizeOf(days.length)}" viewBox="0 0 ${days.length * step - GAP} 36" preserveAspectRatio="none" role="img" aria-label="${said}">${dashes(
    'up',
    runs.filter(({ kind }) => kind === 'up'),
    step,
    words.dayClear,
  )}${dashes('unknown', unknown, step, words.dayUnknown)}${runs.map(({ kind, from, to }) =>
    kind === 'up' || kind === 'unknown'
      ? null
      : days
          .slice(from, to + 1)
          .map((day, no) => bar({ kind, day, at: from + no, step, monitorId: id }, view)),
  )}</svg></div>`;
}

/** All days without events of a kind as one dashed line, one dash per day: the dashes begin anew with each run. */
function dashes(kind: 'up' | 'unknown', runs: readonly Run[], step: number, title: string): Markup | null {
  if (runs.length === 0) return null;
  const [top, bottom] = SHAPES[kind][0]!;
  const line = runs.map(({ from, to }) => `M${from * step} ${(top + bottom) / 2}H${(to + 1) * step - GAP}`);
  return html`<path class="${kind} days" stroke-width="${bottom - top}" stroke-dasharray="${step - GAP} ${GAP}" d="${line.join('')}"><title>${title}</title></path>`;
}

type Drawn = { day: PublicDay; kind: DayKind; at: number; step: number; monitorId: string };

const bar = ({ kind, day, at, step, monitorId }: Drawn, view: View): Markup =>
  html`<path class="${kind}" data-day="${at}" d="${pathOf(kind, at * step, step - GAP)}"><title>${dayText(day, monitorId, view)}</title></path>`;

/** Date, uptime, and events, for a hint: parts between middle dots. */
function dayText(day: PublicDay, monitorId: string, view: View): string {
  const { date, uptimePct, downtimeSeconds, maintenanceSeconds } = day;
  const { words, formats } = view;
  const incidents = downtimeSeconds > 0 ? view.incidentsOn(monitorId, date) : [];
  return [
    formats.utcDay(date),
    uptimePct === null ? words.dayUnknown : formats.percent(uptimePct),
    downtimeSeconds > 0 ? filled(words.dayDown, { duration: formats.duration(downtimeSeconds) }) : null,
    maintenanceSeconds > 0
      ? filled(words.dayMaintenance, { duration: formats.duration(maintenanceSeconds) })
      : null,
    ...incidents.slice(0, MAX_TITLES).map((incident) => incidentTitle(words, incident)),
  ]
    .filter((part) => part !== null)
    .join(' · ');
}

export const downDays = (days: readonly PublicDay[]): PublicDay[] =>
  days.filter(({ downtimeSeconds }) => downtimeSeconds > 0);

function barsSentence(days: readonly PublicDay[], { words }: View): string {
  if (days.every(({ uptimePct }) => uptimePct === null)) return words.barsUnknown;
  const count = downDays(days).length;
  return count === 0 ? words.barsNone : count === 1 ? words.barsOne : words.barsMany;
}

const pathOf = (kind: DayKind, x: number, width: number): string =>
  SHAPES[kind].map(([top, bottom]) => `M${x} ${top}h${width}v${bottom - top}h-${width}z`).join('');

/** Windows have few lengths, and each has a class for the part that fits on a screen; page.css crops by it. */
const SIZES = [7, 14, 30, 90, 180, 365];
const sizeOf = (days: number): number => SIZES.find((size) => days <= size) ?? 365;

/** The number of days for each width of a screen. */
const CROPS = [
  ['wide', 180],
  ['middle', 90],
  ['narrow', 45],
] as const;

/** The label at the left end of the bars, for each width of a screen. */
export const leftEnd = (days: number, { words }: View): Markup =>
  html`${CROPS.map(([name, most]) => html`<span class="${name}">${filled(words.daysAgo, { days: Math.min(days, most) - 1 })}</span>`)}`;

/** The legend of the shapes. */
export const legend = ({ words }: View): Markup =>
  html`<ul class="legend">${(
    [
      ['up', words.legendUp],
      ['minor', words.legendMinor],
      ['major', words.legendMajor],
      ['maintenance', words.legendMaintenance],
      ['unknown', words.legendUnknown],
    ] as const
  ).map(
    ([kind, word]) =>
      html`<li><svg viewBox="0 0 6 36" aria-hidden="true"><path class="${kind}" d="${pathOf(kind, 0, 6)}"/></svg>${word}</li>`,
  )}</ul>`;
