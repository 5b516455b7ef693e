import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listWebhooks, type WebhookTarget } from '../../../../src/webhooks/contract.ts';
import { read, WHOLE } from '../../read.ts';
import { useOrgId } from '../../shell/chosen-project.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { LoadingRows } from '../../ui/LoadingRows.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { CreateWebhook } from './CreateWebhook.tsx';
import { DeliveryHealth } from './DeliveryHealth.tsx';
import styles from './WebhooksPage.module.css';

export default function WebhooksPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const [creating, creation] = useDisclosure(false);
  const targets = useQuery({
    ...read(listWebhooks, { params: { org_id: orgId }, query: WHOLE }),
    refetchInterval: 30_000,
  });
  const list = targets.data ?? [];

  return (
    <>
      <PageHead title={t('webhooks.title')} below={t('webhooks.lead')}>
        {list.length === 0 ? null : (
          <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
            {t('webhooks.new')}
          </Button>
        )}
      </PageHead>
      {targets.isPending ? <LoadingRows count={3} height={64} /> : null}
      {targets.isError ? <Failure error={targets.error} retry={targets.refetch} /> : null}
      {targets.isSuccess && list.length === 0 ? (
        <Empty title={t('webhooks.none')} text={t('webhooks.noneText')}>
          <Button leftSection={<IconPlus size={16} />} onClick={creation.open}>
            {t('webhooks.new')}
          </Button>
        </Empty>
      ) : null}
      {list.length === 0 ? null : (
        <ul className={styles.list} aria-label={t('webhooks.title')}>
          {list.map((target) => (
            <TargetRow key={target.id} orgId={orgId} target={target} />
          ))}
        </ul>
      )}
      <CreateWebhook orgId={orgId} opened={creating} onClose={creation.close} />
    </>
  );
}

function TargetRow({ orgId, target }: { orgId: string; target: WebhookTarget }) {
  const { t } = useTranslation();
  return (
    <li className={styles.row}>
      <span className={styles.what}>
        <Link
          className={styles.name}
          to="/o/$orgId/notifications/$targetId"
          params={{ orgId, targetId: target.id }}
        >
          {target.name}
        </Link>
        <span className={`mono ${styles.url}`}>{target.url}</span>
      </span>
      <span className={styles.events}>{t('webhooks.eventCount', { count: target.events.length })}</span>
      <span className={styles.health}>
        <DeliveryHealth target={target} />
      </span>
    </li>
  );
}
