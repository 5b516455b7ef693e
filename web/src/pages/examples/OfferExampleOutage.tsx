import { Button } from '@mantine/core';
import { IconBellRinging } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getExample } from '#src/examples/contract.ts';
import { read } from '#web/read.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import styles from './OfferExampleOutage.module.css';
import { useSeeOutage } from './use-see-outage.ts';

/** Offers the example outage; if no probe could check it, says why. */
export function OfferExampleOutage({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const mayManage = useMayManage();
  const state = useQuery({ ...read(getExample, { params: { org_id: orgId } }), enabled: mayManage });
  const write = useWrite({ show: inNote });
  const see = useSeeOutage(write);
  if (!mayManage || state.data === undefined || state.data.obstacle === 'running') return null;
  const { obstacle } = state.data;
  return (
    <section className={styles.offer} aria-label={t('example.offer')}>
      <div className={styles.words}>
        <h2 className={styles.title}>{t('example.offer')}</h2>
        <p className={styles.text}>
          {t(obstacle === null ? 'example.offerText' : `example.obstacle.${obstacle}`)}
        </p>
      </div>
      {obstacle === null ? (
        <Button
          leftSection={<IconBellRinging size={17} />}
          loading={write.busy}
          onClick={() => void see(orgId)}
        >
          {t('example.start')}
        </Button>
      ) : null}
    </section>
  );
}
