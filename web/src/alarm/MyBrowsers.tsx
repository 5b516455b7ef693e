import { ActionIcon, Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBell, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import {
  deletePushSubscription,
  listPushSubscriptions,
  type PushSubscription,
  testPushSubscription,
} from '#src/user-notifications/contract.ts';
import { read } from '../read.ts';
import { Failure } from '../ui/Failure.tsx';
import { useFailureSentence } from '../ui/failure-sentence.ts';
import { Ago, Moment } from '../ui/Times.tsx';
import { inNote, useWrite } from '../use-write.ts';
import { send } from '../write.ts';
import styles from './MyBrowsers.module.css';

/** The browsers in which the reader receives web push. Each can be tested and removed. */
export function MyBrowsers() {
  const { t } = useTranslation();
  const browsers = useQuery(read(listPushSubscriptions, {}));
  if (browsers.isLoadingError) return <Failure error={browsers.error} retry={browsers.refetch} />;
  if (browsers.data === undefined) return null;
  if (browsers.data.length === 0) return <p className={styles.none}>{t('push.none')}</p>;
  return (
    <ul className={styles.list} aria-label={t('push.browsers')}>
      {browsers.data.map((browser) => (
        <BrowserRow key={browser.id} browser={browser} />
      ))}
    </ul>
  );
}

function BrowserRow({ browser }: { browser: PushSubscription }) {
  const { t } = useTranslation();
  const explain = useFailureSentence();
  const params = { subscription_id: browser.id };
  const test = useWrite({ show: inNote });
  const removal = useWrite({ show: inNote });

  const sendTest = () =>
    test.run(() =>
      send(testPushSubscription, { params }, ({ ok, error }) =>
        notifications.show({
          color: ok ? 'green' : 'red',
          title: t(ok ? 'push.testSent' : 'push.testFailed'),
          message: error === undefined ? null : explain({ failure_class: error }),
        }),
      ),
    );
  const remove = () => removal.run(() => send(deletePushSubscription, { params }));

  return (
    <li className={styles.row}>
      <IconBell className={styles.icon} size={20} stroke={1.5} aria-hidden="true" />
      <div className={styles.what}>
        <span className={styles.name}>{browser.browser}</span>
        <span className={styles.facts}>
          <span>
            {t('push.since')} <Moment unix={browser.created_at_unix} />
          </span>
          {browser.last_success_at_unix === null ? null : (
            <span>
              {t('push.lastPush')} <Ago unix={browser.last_success_at_unix} />
            </span>
          )}
          {browser.last_error === null ? null : (
            <span className={styles.error}>{explain({ failure_class: browser.last_error })}</span>
          )}
        </span>
      </div>
      <Button size="compact-sm" variant="default" loading={test.busy} onClick={() => void sendTest()}>
        {t('push.test')}
      </Button>
      <ActionIcon
        aria-label={t('push.remove', { browser: browser.browser })}
        loading={removal.busy}
        onClick={() => void remove()}
      >
        <IconTrash size={17} />
      </ActionIcon>
    </li>
  );
}
