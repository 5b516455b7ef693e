import { Button, SegmentedControl } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listDeliveries } from '#src/notifications/contract.ts';
import { isFirstRead } from '#web/first-read.ts';
import { read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import table from '#web/ui/Table.module.css';
import styles from './Deliveries.module.css';
import { DeliveryRow, stateOf } from './DeliveryRow.tsx';

type Place = {
  orgId: string;
  targetId: string /** Shown below them, once they are read. */;
  children: ReactNode;
};

const PAGE = 100;
/** The page size of the list. */
const MAX_LISTED = 1_000;

/** The deliveries of a target and their outcomes, newest first; a filter shows those that will not arrive by themselves. */
export function Deliveries({ orgId, targetId, children }: Place) {
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
  // A full page: there may be older ones.
  const mayBeMore = all.length >= limit;
  const deadCount = mayBeMore ? t('deliveries.atLeast', { number: dead.length }) : dead.length;
  if (isFirstRead(deliveries)) return <LoadingRows count={4} />;
  return (
    <>
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
                { value: 'undelivered', label: `${t('deliveries.undelivered')} (${deadCount})` },
              ]}
            />
          )
        }
      >
        {deliveries.isPending ? <LoadingRows count={4} /> : null}
        {deliveries.isLoadingError ? <Failure error={deliveries.error} retry={deliveries.refetch} /> : null}
        {deliveries.isSuccess && list.length === 0 ? (
          <p className={styles.none}>
            {t(
              show === 'all'
                ? 'deliveries.none'
                : mayBeMore
                  ? 'deliveries.noneOfNewest'
                  : 'deliveries.noneUndelivered',
              { number: all.length },
            )}
          </p>
        ) : null}
        {list.length > 0 ? (
          <table className={table.table}>
            <thead>
              <tr>
                <th scope="col">{t('check.time')}</th>
                <th scope="col" className={styles.wide}>
                  {t('deliveries.event')}
                </th>
                <th scope="col" className={styles.wide}>
                  {t('deliveries.about')}
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
        {mayBeMore && limit < MAX_LISTED ? (
          <div className={styles.more}>
            <Button
              variant="default"
              loading={deliveries.isPlaceholderData}
              onClick={() => setLimit(Math.min(MAX_LISTED, limit + 300))}
            >
              {t('ui.more')}
            </Button>
          </div>
        ) : null}
      </Panel>
      {children}
    </>
  );
}
