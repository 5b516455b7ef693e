import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EVENT_NAMES } from '../../../../src/domain/names.ts';
import { listWebhooks, type WebhookTarget } from '../../../../src/webhooks/contract.ts';
import { useFormats } from '../../format.ts';
import { read, WHOLE } from '../../read.ts';
import { Empty } from '../../ui/Empty.tsx';
import { Failure } from '../../ui/Failure.tsx';
import { LoadingRows } from '../../ui/LoadingRows.tsx';
import { PageHead } from '../../ui/PageHead.tsx';
import { Deliveries } from './Deliveries.tsx';
import { DeliveryHealth } from './DeliveryHealth.tsx';
import { WebhookActions } from './WebhookActions.tsx';
import styles from './WebhookPage.module.css';

export default function WebhookPage() {
  const { t } = useTranslation();
  const { orgId, targetId } = useParams({ from: '/signed-in/o/$orgId/managing/notifications/$targetId' });
  const targets = useQuery({
    ...read(listWebhooks, { params: { org_id: orgId }, query: WHOLE }),
    refetchInterval: 30_000,
  });
  if (targets.isError) return <Failure error={targets.error} retry={targets.refetch} />;
  if (targets.isPending) return <LoadingRows count={3} height={80} />;
  const target = targets.data.find((each) => each.id === targetId);
  if (target === undefined) return <Empty title={t('webhooks.gone')} />;
  return (
    <>
      <PageHead
        title={target.name}
        above={
          <Link to="/o/$orgId/notifications" params={{ orgId }} className={styles.back}>
            {t('webhooks.title')}
          </Link>
        }
        below={<span className={`mono ${styles.url}`}>{target.url}</span>}
      >
        <WebhookActions orgId={orgId} target={target} />
      </PageHead>
      <Facts target={target} />
      <Deliveries orgId={orgId} targetId={target.id} />
    </>
  );
}

function Facts({ target }: { target: WebhookTarget }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const events = target.events.map((event) => {
    const known = EVENT_NAMES.find((name) => name === event);
    return known === undefined ? event : t(`events.${known}`);
  });
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('webhooks.lastDelivery')}</dt>
        <dd>
          <DeliveryHealth target={target} />
        </dd>
      </div>
      <div>
        <dt>{t('webhooks.events')}</dt>
        <dd>{formats.list(events)}</dd>
      </div>
      <div>
        <dt>{t('webhooks.secret')}</dt>
        <dd className="mono">{target.secret_hint}</dd>
      </div>
      <div>
        <dt>{t('webhooks.created')}</dt>
        <dd>{formats.moment(target.created_at_unix)}</dd>
      </div>
    </dl>
  );
}
