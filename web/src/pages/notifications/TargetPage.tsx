import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EVENT_NAMES } from '#src/domain/names.ts';
import { listWebhooks, type WebhookTarget } from '#src/notifications/contract.ts';
import { AsCode } from '#web/as-code/AsCode.tsx';
import { useFormats } from '#web/format.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { EMPTY_LINE } from '#web/ui/empty-line.ts';
import { PageHead } from '#web/ui/PageHead.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { Deliveries } from './Deliveries.tsx';
import { DeliveryHealth } from './DeliveryHealth.tsx';
import { KindGlyph } from './KindGlyph.tsx';
import { kindOf } from './kinds.ts';
import { useRoutingWords } from './routing-words.ts';
import { TargetActions } from './TargetActions.tsx';
import styles from './TargetPage.module.css';
import { TestAnswer } from './TestAnswer.tsx';
import { targetsOf } from './targets-of.ts';
import { useTargetTest } from './test-target.ts';

export default function TargetPage() {
  const { t } = useTranslation();
  const { orgId, targetId } = useParams({ from: '/signed-in/o/$orgId/managing/notifications/$targetId' });
  const targets = useQuery({
    ...targetsOf(orgId),
    refetchInterval: 30_000,
  });
  const target = targets.data?.find((each) => each.id === targetId);
  if (target === undefined)
    return (
      <PagePlaceholder
        query={targets}
        isGone={targets.isSuccess}
        title={t('targets.one')}
        gone={t('targets.gone')}
        back={
          <BackLink to="/o/$orgId/notifications" params={{ orgId }}>
            {t('targets.title')}
          </BackLink>
        }
      />
    );
  return <Target key={target.id} orgId={orgId} target={target} />;
}

function Target({ orgId, target }: { orgId: string; target: WebhookTarget }) {
  const { t } = useTranslation();
  const test = useTargetTest(orgId, target.id);
  const kind = kindOf(target.kind);
  return (
    <>
      <PageHead
        title={target.name}
        above={
          <BackLink to="/o/$orgId/notifications" params={{ orgId }}>
            {t('targets.title')}
          </BackLink>
        }
        below={
          <span className={styles.kind}>
            <KindGlyph kind={kind} size={28} />
            <span>
              {t(`targets.kinds.${kind}`)} <span className={`mono ${styles.url}`}>{target.url}</span>
            </span>
          </span>
        }
      >
        <TargetActions orgId={orgId} target={target} test={test} />
      </PageHead>
      {!target.active && target.last_delivery_ok === false ? (
        <p className={styles.off}>{t('targets.switchedOff')}</p>
      ) : null}
      <TestAnswer test={test} />
      <Facts target={target} />
      <Deliveries orgId={orgId} targetId={target.id}>
        <AsCode operation={listWebhooks} request={{ params: { org_id: orgId } }} shown={target} />
      </Deliveries>
    </>
  );
}

function Facts({ target }: { target: WebhookTarget }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const kind = kindOf(target.kind);
  const words = useRoutingWords();
  const events = target.events.map((event) => {
    const known = EVENT_NAMES.find((name) => name === event);
    return known === undefined ? event : t(`events.${known}`);
  });
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('targets.lastDelivery')}</dt>
        <dd>
          <DeliveryHealth target={target} />
        </dd>
      </div>
      <div>
        <dt>{t('targets.routing.title')}</dt>
        <dd>{words(target) ?? EMPTY_LINE}</dd>
      </div>
      <div>
        <dt>{t('targets.events')}</dt>
        <dd>{formats.list(events)}</dd>
      </div>
      {target.secret_hint === '' ? null : (
        <div>
          <dt>{t(kind === 'webhook' ? 'targets.secret' : 'targets.providerKey')}</dt>
          <dd className="mono">{target.secret_hint}</dd>
        </div>
      )}
      {target.region === null ? null : (
        <div>
          <dt>{t('targets.region')}</dt>
          <dd>{t(`targets.regions.${target.region === 'eu' ? 'eu' : 'global'}`)}</dd>
        </div>
      )}
      <div>
        <dt>{t('targets.created')}</dt>
        <dd>{formats.moment(target.created_at_unix)}</dd>
      </div>
    </dl>
  );
}
