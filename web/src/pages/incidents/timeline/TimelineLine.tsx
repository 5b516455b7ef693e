import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { isolated } from '#src/domain/direction.ts';
import { EVENT_NAMES } from '#src/domain/names.ts';
import type { Note } from '#src/incidents/actions-contract.ts';
import type { TimelineEntry } from '#src/incidents/contract.ts';
import { useFormats } from '#web/format.ts';
import { Markdown } from '#web/ui/Markdown.tsx';
import { Moment } from '#web/ui/Times.tsx';
import { useDetailWords } from './detail-words.ts';
import { KindIcon } from './KindIcon.tsx';
import { deliveryOf, type Line } from './lines.ts';
import styles from './Timeline.module.css';

/** One entry of the timeline: action, person, time and text. `takeBack` undoes a note that is not sent yet. */
export function TimelineLine({ line, takeBack }: { line: Line; takeBack: (() => void) | null }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const tone = toneOf(line.kind);
  return (
    <li className={styles.line} data-tone={tone} title={formats.full(line.atUnix)}>
      <span className={styles.icon}>
        <KindIcon kind={line.is === 'note' ? line.note.kind : line.kind} />
      </span>
      <div className={styles.body}>
        <div className={styles.head}>
          <Headline line={line} />
          <span className={styles.when}>
            <Moment unix={line.atUnix} />
          </span>
        </div>
        {line.is === 'note' ? (
          <div className={styles.note}>
            <Markdown text={line.note.body} headings={3} />
          </div>
        ) : null}
        {takeBack === null ? null : (
          <p className={styles.soon}>
            {t('note.soon')}
            <Button size="compact-xs" variant="default" onClick={takeBack}>
              {t('ui.deletion.undo')}
            </Button>
          </p>
        )}
        {line.is === 'entry' ? <Detail line={line} /> : null}
        {line.is === 'collapsed' ? <CollapsedEntries line={line} /> : null}
      </div>
    </li>
  );
}

/** Entries that need attention, good news, and noise. */
function toneOf(kind: string): string {
  if (['opened', 'escalated', 'delivery_failed'].includes(kind)) return 'bad';
  if (['acknowledged', 'resolved'].includes(kind)) return 'good';
  if (['delivered', 'paged', 'suppressed', 'held', 'hold_ended'].includes(kind)) return 'quiet';
  return 'plain';
}

function Headline({ line }: { line: Line }) {
  const { t, i18n } = useTranslation();
  if (line.is === 'note') return <NoteHead note={line.note} />;
  if (line.is === 'collapsed') return <CollapsedHead line={line} />;
  const key = `timeline.${line.kind}`;
  const word = i18n.exists(key) ? t(key as 'timeline.opened') : line.kind.replaceAll('_', ' ');
  return <Words what={word} who={line.entry.actor_name ?? null} />;
}

function NoteHead({ note }: { note: Note }) {
  const { t } = useTranslation();
  return (
    <span className={styles.words}>
      <Words what={t(`timeline.${note.kind}`)} who={note.author_name} />
      <span className={styles.badge} data-visibility={note.visibility}>
        {t(`timeline.${note.visibility}`)}
      </span>
    </span>
  );
}

function CollapsedHead({ line }: { line: Extract<Line, { is: 'collapsed' }> }) {
  const { t } = useTranslation();
  const eventWord = useEventWord();
  const count = line.entries.length;
  const said =
    line.kind === 'delivered' && line.event !== null
      ? t('timeline.deliveredTo', { count, event: eventWord(line.event) })
      : t(`timeline.${line.kind}_many`, { count });
  return <Words what={said} who={null} />;
}

function Words({ what, who }: { what: string; who: string | null }) {
  return (
    <span>
      <span className={styles.what}>{what}</span>
      {who === null ? null : <span className={styles.who}> · {who}</span>}
    </span>
  );
}

/** Event names as on the settings of targets. */
function useEventWord(): (event: string) => string {
  const { t } = useTranslation();
  return (event) => {
    const known = EVENT_NAMES.find((name) => name === event);
    return known === undefined ? event : t(`events.${known}`);
  };
}

/** A delivery names its event, its target and how many incidents it covers; other kinds have their own words. */
function Detail({ line }: { line: Extract<Line, { is: 'entry' }> }) {
  const { t } = useTranslation();
  const eventWord = useEventWord();
  const detailWords = useDetailWords();
  const delivery = line.kind.startsWith('deliver') ? deliveryOf(line.entry.detail) : null;
  const words =
    delivery === null
      ? detailWords(line.entry)
      : [
          `${eventWord(delivery.event)} → ${isolated(delivery.target)}`,
          ...(delivery.others === 0 ? [] : [t('timelineDetail.together', { count: delivery.others })]),
        ].join(', ');
  return words === null ? null : <p className={styles.detail}>{words}</p>;
}

function CollapsedEntries({ line }: { line: Extract<Line, { is: 'collapsed' }> }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const detailWords = useDetailWords();
  const words = (entry: TimelineEntry) =>
    line.kind === 'paged'
      ? [entry.actor_name, detailWords(entry)]
          .filter((part) => part != null)
          .map(isolated)
          .join(' · ')
      : (deliveryOf(entry.detail)?.target ?? entry.detail);
  return (
    <details className={styles.collapsible}>
      <summary>{t('timeline.show')}</summary>
      <ul className={styles.collapsed}>
        {line.entries.map((entry, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries are only ever appended
          <li key={at}>
            <span className={styles.collapsedWhat}>{words(entry)}</span>
            <span className={styles.when}>{formats.clock(entry.at_unix)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
