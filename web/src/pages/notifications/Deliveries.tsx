import { Button, SegmentedControl } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconRepeat } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EVENT_NAMES } from '#src/domain/names.ts';
import { listDeliveries, replayDelivery } from '#src/notifications/contract.ts';
import type { ReplyOf } from '#src/platform/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { useFailureSentence } from '#web/ui/failure-sentence.ts';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { type DisplayState, StatusGlyph } from '#web/ui/StatusGlyph.tsx';
import table from '#web/ui/Table.module.css';
import { Moment } from '#web/ui/Times.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import styles from './Deliveries.module.css';

type Delivery = ReplyOf<typeof listDeliveries>[number];
type Place = { orgId: string; targetId: string };

const PAGE = 100;
/** As many as a list gives at once. */
const MOST = 1_000;

/** What was sent to a target and how it went, newest first; what will not arrive by itself can be looked at alone. */
export function Deliveries({ orgId, targetId }: Place) {
  const { t } = useTranslation();
  const [show, setShow] = useState<'all' | 'undelivered'>('all');
  const [limit, setLimit] = useState(PAGE);
  const deliveries = useQuery({
    ...read(listDeliveries, { params: { org_id: orgId, target_id: targetId }, query: { limit } }),
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  });
  const all = deliveries.data ?? [];
  const dead = all.filter((delivery) => ['failed', 'paused'].includes(stateOf(delivery)));
  const list = show === 'all' ? all : dead;
  return (
    <Panel
      title={t('deliveries.title')}
      flush={list.length > 0}
      aside={
        dead.length === 0 && show === 'all' ? null : (
          <SegmentedControl
            size="xs"
            aria-label={t('deliveries.show')}
            value={show}
            onChange={(value) => setShow(value as 'all' | 'undelivered')}
            data={[
              { value: 'all', label: t('deliveries.all') },
              { value: 'undelivered', label: `${t('deliveries.undelivered')} (${dead.length})` },
            ]}
          />
        )
      }
    >
      {deliveries.isPending ? <LoadingRows count={4} /> : null}
      {deliveries.isLoadingError ? <Failure error={deliveries.error} retry={deliveries.refetch} /> : null}
      {deliveries.isSuccess && list.length === 0 ? (
        <p className={styles.none}>{t(show === 'all' ? 'deliveries.none' : 'deliveries.noneUndelivered')}</p>
      ) : null}
      {list.length > 0 ? (
        <table className={table.table}>
          <thead>
            <tr>
              <th scope="col">{t('check.time')}</th>
              <th scope="col" className={styles.wide}>
                {t('deliveries.event')}
              </th>
              <th scope="col">{t('deliveries.result')}</th>
              <th scope="col" className={`${table.figure} ${styles.wide}`}>
                {t('deliveries.attempts')}
              </th>
              <th scope="col">
                <span className="visually-hidden">{t('deliveries.replay')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {list.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} orgId={orgId} targetId={targetId} />
            ))}
          </tbody>
        </table>
      ) : null}
      {all.length >= limit && limit < MOST ? (
        <div className={styles.more}>
          <Button
            variant="default"
            loading={deliveries.isPlaceholderData}
            onClick={() => setLimit(Math.min(MOST, limit + 300))}
          >
            {t('ui.more')}
          </Button>
        </div>
      ) : null}
    </Panel>
  );
}

function DeliveryRow({ delivery, orgId, targetId }: Place & { delivery: Delivery }) {
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
    <tr>
      <td className={table.nowrap}>
        <Moment unix={delivery.created_at_unix} />
        <span className={styles.narrow}>{event}</span>
      </td>
      <td className={styles.wide}>{event}</td>
      <td>
        <Result delivery={delivery} />
      </td>
      <td className={`${table.figure} ${styles.wide}`}>{delivery.attempts}</td>
      <td className={table.figure}>
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('deliveries.replay')}
          loading={write.busy}
          onClick={() => void replay()}
        >
          <IconRepeat size={13} aria-hidden="true" />
          <span className={styles.replay}>{t('deliveries.replay')}</span>
        </Button>
      </td>
    </tr>
  );
}

/** `failed` will not be tried again, `paused` never was: its target was off. Both wait for a replay. */
function stateOf(delivery: Delivery): Exclude<DisplayState, 'no_data' | 'cannot_check'> {
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
    // A delivery that was dropped with its target says so in its state.
    delivery.error == null || state === 'paused' ? null : explain({ failure_class: delivery.error }),
    state === 'failed' ? t('deliveries.givenUp') : null,
    // One that waits for an earlier delivery of its incident is due and still not sent: no time to promise.
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
