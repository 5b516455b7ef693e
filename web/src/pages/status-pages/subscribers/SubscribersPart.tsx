import { ActionIcon } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  deleteSubscriber,
  listSubscribers,
  type Subscriber,
} from '#src/status-pages/subscriptions/contract.ts';
import { call } from '#web/call.ts';
import { useFormats } from '#web/format.ts';
import { Confirm } from '#web/ui/Confirm.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { ShowMore } from '#web/ui/ShowMore.tsx';
import { send } from '#web/write.ts';
import rows from '../access/Access.module.css';
import styles from './SubscribersPart.module.css';

const PAGE = 100;

/** The mail subscribers of the page. They subscribe on the page itself; here they can only be removed. */
export function SubscribersPart({ pageId }: { pageId: string }) {
  const { t } = useTranslation();
  const [leaving, setLeaving] = useState<Subscriber | null>(null);
  const params = { id: pageId };
  const pages = useInfiniteQuery({
    queryKey: [listSubscribers.id, params, {}],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      call(listSubscribers, { params, query: { limit: PAGE, ...(pageParam && { before: pageParam }) } }),
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
  });
  const list = pages.data?.pages.flat() ?? [];
  return (
    <Panel title={t('statusPages.parts.subscribers')} flush>
      <p className={styles.lead}>{t('statusPages.subscribers.lead')}</p>
      {pages.isPending ? <LoadingRows count={3} /> : null}
      {pages.isError ? <Failure error={pages.error} retry={pages.refetch} /> : null}
      {pages.isSuccess && list.length === 0 ? (
        <p className={rows.none}>{t('statusPages.subscribers.none')}</p>
      ) : null}
      <ul aria-label={t('statusPages.parts.subscribers')}>
        {list.map((subscriber) => (
          <li key={subscriber.id} className={rows.row}>
            <span className={rows.person}>
              <span className={rows.name}>{subscriber.email}</span>
              <About subscriber={subscriber} />
            </span>
            <ActionIcon
              aria-label={t('statusPages.subscribers.delete', { email: subscriber.email })}
              onClick={() => setLeaving(subscriber)}
            >
              <IconTrash size={17} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <div className={styles.more}>
        <ShowMore pages={pages} />
      </div>
      <Confirm
        opened={leaving !== null}
        title={t('statusPages.subscribers.delete', { email: leaving?.email ?? '' })}
        text={t('statusPages.subscribers.deleteText')}
        confirm={t('ui.delete')}
        onConfirm={async () => {
          if (leaving !== null) await send(deleteSubscriber, { params: { ...params, sub_id: leaving.id } });
        }}
        onClose={() => setLeaving(null)}
      />
    </Panel>
  );
}

function About({ subscriber }: { subscriber: Subscriber }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { confirmed_at_unix: confirmed, monitors } = subscriber;
  const said = [
    confirmed === null
      ? t('statusPages.subscribers.unconfirmed')
      : t('statusPages.subscribers.since', { day: formats.date(confirmed) }),
    monitors === null
      ? t('statusPages.subscribers.everything')
      : t('statusPages.monitorCount', { count: monitors.length }),
    subscriber.language.toUpperCase(),
  ];
  return <span className={rows.about}>{said.join(' · ')}</span>;
}
