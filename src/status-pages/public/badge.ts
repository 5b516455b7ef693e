// Badges in the three styles of shields.io, drawn by its own library.
import type { PageLanguage, PageState } from '#src/domain/names.ts';
import { oneLine } from '#src/domain/one-line.ts';
import { whenNeeded } from '#src/platform/when-needed.ts';
import type { BADGE_STYLES } from './contract.ts';
import { formatsOf } from './formats.ts';
import type { PublicMonitor, Snapshot } from './snapshot.ts';
import { WORDS } from './words.ts';
import { xmlText } from './xml-text.ts';

export type WantedBadge = {
  /** null: the page itself. */
  monitorId: string | null;
  metric: 'status' | 'uptime';
  style: (typeof BADGE_STYLES)[number];
  language?: PageLanguage;
  /** The state is of minutes ago: a badge has no room for a time, so it says that nothing is known. */
  isOld?: boolean;
};

const badgeMaker = whenNeeded<typeof import('badge-maker')>('badge-maker');

/** The most characters of a name on a badge. */
const MAX_CHARACTERS = 60;

const COLORS: Readonly<Record<PageState, string>> = {
  operational: '#177a4b',
  degraded: '#96570a',
  partial_outage: '#b4541a',
  major_outage: '#c0272d',
  maintenance: '#3944bc',
  no_data: '#6d7078',
};

/** The badge as SVG; null: the page shows no such monitor. */
export function badgeOf(snapshot: Snapshot, wanted: WantedBadge): string | null {
  const { monitorId, metric, style, language = 'en', isOld = false } = wanted;
  const monitors = snapshot.groups.flatMap((group) => group.monitors);
  const monitor = monitorId === null ? null : monitors.find(({ id }) => id === monitorId);
  if (monitor === undefined) return null;
  const label = short(monitor?.label ?? snapshot.page.name);
  if (metric === 'status') {
    const state = isOld ? 'no_data' : (monitor?.state ?? snapshot.state);
    return badgeMaker().makeBadge({
      label,
      style,
      message: WORDS[language].state[state],
      color: COLORS[state],
    });
  }
  const pct = monitor ? monitor.uptimePct : lowestUptime(monitors);
  const message =
    pct === null ? WORDS[language].state.no_data : formatsOf(language, snapshot.page.timezone).percent(pct);
  return badgeMaker().makeBadge({
    label,
    style,
    message,
    color: COLORS[pct === null ? 'no_data' : toneOf(pct)],
  });
}

/** The uptime of a page is that of its worst monitor: an average would hide it. */
function lowestUptime(monitors: readonly PublicMonitor[]): number | null {
  const known = monitors.flatMap(({ uptimePct }) => uptimePct ?? []);
  return known.length === 0 ? null : Math.min(...known);
}

const toneOf = (pct: number): PageState =>
  pct >= 99.9 ? 'operational' : pct >= 99 ? 'degraded' : 'major_outage';

function short(name: string): string {
  const characters = [...oneLine(xmlText(name))];
  return characters.length > MAX_CHARACTERS
    ? `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`
    : characters.join('');
}
