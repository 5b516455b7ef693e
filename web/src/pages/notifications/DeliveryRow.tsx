import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRepeat } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EVENT_NAMES } from '#src/domain/names.ts';
import { getDelivery, type listDeliveries, replayDelivery } from '#src/notifications/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { CopyBlock } from '#web/ui/CopyBlock.tsx';
import { ExpandableRow } from '#web/ui/ExpandableRow.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { type DisplayState, StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import table from '#web/ui/Table.module.css';
import { Moment } from '#web/ui/Times.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './Deliveries.module.css';

export type Delivery = ReplyOf<typeof listDeliveries>[number];
type Props = { orgId: string; targetId: string; delivery: Delivery };

/** One delivery: time, event, subject and outcome; expanded, the event's payload. */
export function DeliveryRow({ delivery, orgId, targetId }: Props) {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  const params = { org_id: orgId, target_id: targetId, delivery_id: delivery.id };
  const replay = () =>
    write.run(() =>
      send(replayDelivery, { params }, () => notifications.show({ message: t('deliveries.replayed') })),
    );
  const known = EVENT_NAMES.find((name) => name === delivery.event);
  const event = known === undefined ? delivery.event : t(`events.${known}`);
  return (
    <ExpandableRow
      columns={6}
      titles={{ open: t('deliveries.open'), close: t('deliveries.close') }}
      detail={() => <EventBody orgId={orgId} targetId={targetId} deliveryId={delivery.id} />}
      head={
        <>
          <Moment unix={delivery.created_at_unix} />
          <span className={styles.narrow}>{event}</span>
        </>
      }
    >
      <td className={styles.wide}>{event}</td>
      <td className={`${styles.about} ${styles.wide}`}>
        <About orgId={orgId} delivery={delivery} />
      </td>
      <td>
        <span className={`${styles.about} ${styles.narrow}`}>
          <About orgId={orgId} delivery={delivery} />
        </span>
        <Result delivery={delivery} />
      </td>
      <td className={`${table.figure} ${styles.wide}`}>{delivery.attempts}</td>
      <td className={table.figure}>
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('deliveries.replay')}
          loading={write.busy}
          onClick={() => void replay()}
        >
          <IconRepeat size={13} aria-hidden="true" />
          <span className={styles.replay}>{t('deliveries.replay')}</span>
        </Button>
      </td>
    </ExpandableRow>
  );
}

/** A link to the subject of the event: the incident, or else the maintenance window or the monitor. */
function About({ orgId, delivery: { about } }: { orgId: string; delivery: Delivery }) {
  const { t } = useTranslation();
  const { name, incident_id, maintenance_id, monitor_id } = about;
  if (incident_id !== null)
    return (
      <Link to="/o/$orgId/incidents/$incidentId" params={{ orgId, incidentId: incident_id }}>
        {name ?? t('deliveries.incident')}
      </Link>
    );
  if (maintenance_id !== null)
    return (
      <Link to="/o/$orgId/maintenance/$windowId" params={{ orgId, windowId: maintenance_id }}>
        {name}
      </Link>
    );
  if (monitor_id !== null)
    return (
      <Link to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId: monitor_id }}>
        {name}
      </Link>
    );
  return <span className={styles.detail}>{name ?? '–'}</span>;
}

type EventProps = { orgId: string; targetId: string; deliveryId: string };

/** The stored event: a webhook receives these bytes, and chat messages are built from them. */
function EventBody({ orgId, targetId, deliveryId }: EventProps) {
  const { t } = useTranslation();
  const params = { org_id: orgId, target_id: targetId, delivery_id: deliveryId };
  const delivery = useQuery(read(getDelivery, { params }));
  if (delivery.isPending) return <LoadingRows count={2} />;
  if (delivery.isLoadingError) return <Failure error={delivery.error} retry={delivery.refetch} />;
  const { event_id, event_body } = delivery.data;
  return (
    <div className={styles.event}>
      <p className={styles.none}>
        {t('deliveries.eventHint')} <span className="mono">{event_id}</span>
      </p>
      <CopyBlock label={t('deliveries.event')} text={JSON.stringify(JSON.parse(event_body), null, 2)} />
    </div>
  );
}

/** `failed` is not retried, and `paused` was never sent because the target was paused. Both wait for a replay. */
export function stateOf(delivery: Delivery): Exclude<DisplayState, 'no_data' | 'cannot_check'> {
  if (delivery.ok) return 'passed';
  const ended = delivery.next_attempt_at_unix == null;
  if (delivery.attempts === 0) return ended ? 'paused' : 'pending';
  return ended ? 'failed' : 'degraded';
}

function Result({ delivery }: { delivery: Delivery }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const now = useNow();
  const explain = useFailureSentence();
  const next = delivery.next_attempt_at_unix ?? null;
  const state = stateOf(delivery);
  const detail = [
    delivery.status_code == null ? null : `HTTP ${delivery.status_code}`,
    // A delivery dropped with its target says so in its state.
    delivery.error == null || state === 'paused' ? null : explain({ failure_class: delivery.error }),
    state === 'failed' ? t('deliveries.givenUp') : null,
    // A delivery that waits for an earlier one of its incident is overdue, so no time can be promised.
    next === null || delivery.ok || next <= now
      ? null
      : t('deliveries.next', { duration: formats.duration(next - now) }),
  ].filter((part) => part !== null);
  return (
    <span className={styles.result}>
      <span className={styles.word} data-state={state}>
        <StatusGlyph state={state} />
        {t(`deliveries.state.${state}`)}
      </span>
      <span className={styles.detail}>{detail.join(' · ')}</span>
    </span>
  );
}
