import { Button, Group } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type AgentEvent, listAgentEvents } from '#src/agents/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { type DisplayState, StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import { Moment } from '#web/ui/Times.tsx';
import { eventDetail } from './event-detail.ts';
import { eventKeys } from './event-keys.ts';
import styles from './HostEvents.module.css';

const PAGE = 20;
/** The page size of the list. */
const MAX_LISTED = 1_000;

const GLYPHS: Partial<Record<AgentEvent['kind'], DisplayState>> = { silent: 'failed', back: 'passed' };

/** The events of a host, newest first. */
export function HostEvents({ agentId }: { agentId: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const orgId = useOrgId();
  const [limit, setLimit] = useState(PAGE);
  const events = useQuery({
    ...read(listAgentEvents, { params: { org_id: orgId, agent_id: agentId }, query: { limit } }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
  const list = events.data ?? [];
  const keys = eventKeys(list);
  return (
    <Panel title={t('hosts.events')}>
      {events.isPending ? <LoadingRows count={3} height={28} /> : null}
      {events.isLoadingError ? <Failure error={events.error} retry={events.refetch} /> : null}
      {events.isSuccess && list.length === 0 ? <p className={styles.none}>{t('hosts.noEvents')}</p> : null}
      {list.length === 0 ? null : (
        <ol className={styles.list}>
          {list.map((event, place) => (
            <li key={keys[place]} className={styles.event}>
              <span className={styles.at}>
                <Moment unix={event.at_unix} />
              </span>
              <span className={styles.what}>
                <StatusGlyph state={GLYPHS[event.kind] ?? 'pending'} />
                {t(`hosts.event.${event.kind}`)}
                {event.detail === '' ? null : (
                  <span className={styles.detail}>{eventDetail(event, t, formats)}</span>
                )}
              </span>
            </li>
          ))}
        </ol>
      )}
      {list.length < limit || limit >= MAX_LISTED ? null : (
        <Group justify="center" mt={12}>
          <Button
            variant="default"
            loading={events.isPlaceholderData}
            onClick={() => setLimit(Math.min(MAX_LISTED, limit * 5))}
          >
            {t('ui.more')}
          </Button>
        </Group>
      )}
    </Panel>
  );
}
