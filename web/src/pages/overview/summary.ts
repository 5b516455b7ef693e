// The sentence at the top of the overview and its wall display: failures, since when, and who acknowledged them
// (docs/rules/overview.md#the-sentence). Pure.
import type { TFunction } from 'i18next';
import type { TileCounts } from '#src/domain/tiles.ts';
import type { Open } from '#src/overview/contract.ts';
import type { Formats } from '#web/format.ts';

export type Situation = {
  counts: TileCounts;
  /** null: the reader may not see incidents. */
  open: Omit<Open, 'incidents'> | null;
};

/** The overall state. */
export type Tone = 'failed' | 'doubtful' | 'well' | 'idle';

/** Further names are counted instead. */
const MAX_NAMES = 2;

export function toneOf({ counts, open }: Situation): Tone {
  if (counts.failed > 0) return 'failed';
  if (counts.no_data + counts.cannot_check + counts.degraded + (open?.total ?? 0) > 0) return 'doubtful';
  return watchedOf(counts) === 0 || counts.passed === 0 ? 'idle' : 'well';
}

const watchedOf = (counts: TileCounts) => counts.monitors - counts.paused;

type Words = { t: TFunction; formats: Pick<Formats, 'minute' | 'list'> };

/** In the reader's language, without a final full stop: "498 of 503 up, 2 down since 06:32, Nora has them". */
export function sentenceOf({ counts, open }: Situation, words: Words): string {
  const { t } = words;
  const watched = watchedOf(counts);
  if (counts.monitors === 0 && !open?.total) return t('overview.summary.none');
  const clauses = [
    watched === 0
      ? counts.paused === 0
        ? t('overview.summary.none')
        : t('overview.summary.paused', { count: counts.paused })
      : upOf(counts, t),
    ...troubleOf({ counts, open }, words),
    whoHas(open, words),
  ];
  return clauses.filter((clause) => clause !== null).join(', ');
}

function upOf(counts: TileCounts, t: TFunction): string {
  const watched = watchedOf(counts);
  return counts.passed === watched
    ? t('overview.summary.all', { count: watched })
    : t('overview.summary.up', { count: counts.passed, of: watched });
}

function troubleOf({ counts, open }: Situation, { t, formats }: Words): (string | null)[] {
  const since = open?.since_unix == null ? null : formats.minute(open.since_unix);
  const some = (key: 'noData' | 'cannotCheck' | 'degraded' | 'maintenance' | 'pending', count: number) =>
    count === 0 ? null : t(`overview.summary.${key}`, { count });
  return [
    counts.failed > 0 ? downOf(counts.failed, open, since, t) : openOf(open, since, t),
    some('cannotCheck', counts.cannot_check),
    some('noData', counts.no_data),
    some('degraded', counts.degraded),
    some('maintenance', counts.maintenance),
    some('pending', counts.pending),
  ];
}

function downOf(count: number, open: Situation['open'], since: string | null, t: TFunction): string {
  if (open === null || since === null) return t('overview.summary.down', { count });
  return t(open.since_same_minute ? 'overview.summary.downSince' : 'overview.summary.downFirst', {
    count,
    since,
  });
}

/** Nothing is down, yet incidents are open: declared by hand, or only degraded. */
function openOf(open: Situation['open'], since: string | null, t: TFunction): string | null {
  if (open === null || open.total === 0 || since === null) return null;
  const key = open.since_same_minute ? 'overview.summary.openSince' : 'overview.summary.openFirst';
  return t(key, { count: open.total, since });
}

function whoHas(open: Situation['open'], { t, formats }: Words): string | null {
  if (open === null || open.total === 0) return null;
  if (open.acknowledged_by.length === 0) return t('overview.summary.unacknowledged', { count: open.total });
  const names = open.acknowledged_by.map(({ name }) => name || t('overview.summary.somebody'));
  const others = names.length - MAX_NAMES;
  const named =
    others > 0 ? [...names.slice(0, MAX_NAMES), t('overview.summary.others', { count: others })] : names;
  const who = formats.list(named);
  const isOne = names.length === 1;
  if (open.unacknowledged === 0)
    return t(isOne ? 'overview.summary.acknowledged' : 'overview.summary.acknowledgedByMany', {
      who,
      count: open.total,
    });
  return t(isOne ? 'overview.summary.some' : 'overview.summary.someByMany', {
    who,
    acknowledged: open.total - open.unacknowledged,
    count: open.unacknowledged,
  });
}
