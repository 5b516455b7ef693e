import { ActionIcon, SegmentedControl, Tooltip } from '@mantine/core';
import { IconSortAscending, IconSortDescending } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listNotes } from '#src/incidents/actions-contract.ts';
import { listIncidentTimeline } from '#src/incidents/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { remember, remembered } from '#web/remembered.ts';
import { useMayAct } from '#web/shell/my-role.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { FILTERS, type Filter, linesOf, matchesFilter } from './lines.ts';
import { NoteForm } from './NoteForm.tsx';
import { usePendingNotes } from './pending-notes.ts';
import styles from './Timeline.module.css';
import { TimelineLine } from './TimelineLine.tsx';

type Order = 'newest' | 'oldest';
/** The live stream has no deliveries or pages, so the timeline is polled while the incident is open. */
const OPEN_EVERY_MS = 10_000;
const CLOSED_EVERY_MS = 60_000;

type Props = { orgId: string; incidentId: string; isOpen: boolean };

/** All actions of people and of the alarm with their notes, and the form for new ones. */
export function Timeline({ orgId, incidentId, isOpen }: Props) {
  const { t } = useTranslation();
  const mayAct = useMayAct();
  const params = { org_id: orgId, incident_id: incidentId };
  const refetchInterval = isOpen ? OPEN_EVERY_MS : CLOSED_EVERY_MS;
  const timeline = useQuery({ ...read(listIncidentTimeline, { params, query: MAX_PAGE }), refetchInterval });
  const notes = useQuery(read(listNotes, { params, query: MAX_PAGE }));
  const [filter, setFilter] = useState<Filter>('all');
  const [order, setOrder] = useState<Order>(remembered('timeline') === 'oldest' ? 'oldest' : 'newest');

  const field = useRef<HTMLTextAreaElement>(null);
  const everyWaiting = usePendingNotes();
  const waiting = useMemo(
    () => everyWaiting.filter((note) => note.incidentId === incidentId),
    [everyWaiting, incidentId],
  );
  const lines = useMemo(
    () => linesOf(timeline.data ?? [], [...(notes.data ?? []), ...waiting]),
    [timeline.data, notes.data, waiting],
  );
  const filtered = lines.filter((line) => matchesFilter(line, filter));
  const shown = order === 'newest' ? filtered.reverse() : filtered;

  /** The text returns to its field, and the focus with it. */
  function takeBackOf(key: string): (() => void) | null {
    const takeBack = waiting.find(({ id }) => id === key)?.takeBack ?? null;
    return (
      takeBack &&
      (() => {
        takeBack();
        field.current?.focus();
      })
    );
  }

  function turn() {
    const next = order === 'newest' ? 'oldest' : 'newest';
    remember('timeline', next);
    setOrder(next);
  }

  const Sorted = order === 'newest' ? IconSortDescending : IconSortAscending;
  const sorting = t(order === 'newest' ? 'timeline.newestFirst' : 'timeline.oldestFirst');
  return (
    <Panel
      title={t('timeline.title')}
      aside={
        <div className={styles.tools}>
          <SegmentedControl
            size="xs"
            aria-label={t('timeline.filter')}
            value={filter}
            onChange={(value) => setFilter(value as Filter)}
            data={FILTERS.map((value) => ({ value, label: t(`timeline.filters.${value}`) }))}
          />
          <Tooltip label={sorting}>
            <ActionIcon aria-label={sorting} onClick={turn}>
              <Sorted size={18} />
            </ActionIcon>
          </Tooltip>
        </div>
      }
    >
      {mayAct ? <NoteForm orgId={orgId} incidentId={incidentId} field={field} /> : null}
      {timeline.isPending ? <LoadingRows count={3} /> : null}
      {timeline.isError ? <Failure error={timeline.error} retry={timeline.refetch} /> : null}
      {timeline.isSuccess && shown.length === 0 ? (
        <p className={styles.nothing}>{t(`timeline.nothing.${filter}`)}</p>
      ) : null}
      <ol className={styles.list} aria-label={t('timeline.title')}>
        {shown.map((line) => (
          <TimelineLine key={line.key} line={line} takeBack={takeBackOf(line.key)} />
        ))}
      </ol>
    </Panel>
  );
}
