import { Button } from '@mantine/core';
import { IconBellRinging } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getExample, startExample } from '#src/examples/contract.ts';
import { read } from '#web/read.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { showGuide } from './guide.ts';
import styles from './SeeAnOutage.module.css';

type Props = { orgId: string; projectId: string };

/** Offers the example outage; if no probe could check it, says why. */
export function SeeAnOutage({ orgId, projectId }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const mayManage = useMayManage();
  const state = useQuery({ ...read(getExample, { params: { org_id: orgId } }), enabled: mayManage });
  const write = useWrite({ show: inNote });
  if (!mayManage || state.data === undefined || state.data.obstacle === 'running') return null;
  const { obstacle } = state.data;
  const start = () =>
    write.run(() =>
      send(startExample, { params: { project_id: projectId } }, async ({ monitor_id: monitorId }) => {
        showGuide(orgId, true);
        await navigate({ to: '/o/$orgId/monitors/$monitorId', params: { orgId, monitorId } });
      }),
    );
  return (
    <section className={styles.offer} aria-label={t('example.offer')}>
      <div className={styles.words}>
        <h2 className={styles.title}>{t('example.offer')}</h2>
        <p className={styles.text}>
          {t(obstacle === null ? 'example.offerText' : `example.obstacle.${obstacle}`)}
        </p>
      </div>
      {obstacle === null ? (
        <Button leftSection={<IconBellRinging size={17} />} loading={write.busy} onClick={() => void start()}>
          {t('example.start')}
        </Button>
      ) : null}
    </section>
  );
}
