import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { getInstallation } from '#src/accounts/contract.ts';
import { getAlarmPlan } from '#src/on-call/alarm-plan-contract.ts';
import { type ChainStep, type OnCallSettings, previewChain } from '#src/on-call/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import styles from './ChainPanel.module.css';

/** The people whom an alarm would reach now, step by step. */
export function ChainPanel({ settings }: { settings: OnCallSettings }) {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const steps = useQuery({
    ...read(previewChain, { params: { org_id: orgId } }),
    refetchInterval: 60_000,
  });
  const installation = useQuery(read(getInstallation, {}));
  const canMail = installation.data?.mail !== false;
  // Only the plan says who has a browser that receives push.
  const plan = useQuery({
    ...read(getAlarmPlan, { params: { org_id: orgId } }),
    refetchInterval: 60_000,
  });
  const pushed = new Set(
    plan.data?.steps.flatMap(({ people }) =>
      people
        .filter(({ channels }) => channels.some(({ channel, works }) => channel === 'push' && works))
        .map(({ user_id }) => user_id),
    ),
  );
  const list = steps.data ?? [];
  const chain = settings.enabled && settings.entitled;
  return (
    <Panel title={t('onCall.chain.title')}>
      {steps.isPending ? <LoadingRows count={3} height={44} /> : null}
      {steps.isLoadingError ? <Failure error={steps.error} retry={steps.refetch} /> : null}
      {steps.isSuccess ? (
        <>
          {chain && list.some(({ step, fallback }) => step === 'start' && fallback) ? (
            <p className={styles.fallback}>{t('onCall.chain.fallback')}</p>
          ) : null}
          <ol className={styles.line}>
            {list.map((step) => (
              <Step
                key={step.step}
                step={step}
                canMail={canMail}
                // Until the plan is known, a push is presumed.
                canPush={plan.data === undefined || step.user_ids.some((userId) => pushed.has(userId))}
              />
            ))}
            <li className={styles.step} data-end>
              <p className={styles.when}>{t('onCall.chain.endWhen')}</p>
              <p className={styles.what}>{t(chain ? 'onCall.chain.end' : 'onCall.chain.endPlain')}</p>
            </li>
          </ol>
        </>
      ) : null}
    </Panel>
  );
}

type Ways = { canMail: boolean; canPush: boolean };

function Step({ step, canMail, canPush }: { step: ChainStep } & Ways) {
  const { t } = useTranslation();
  const formats = useFormats();
  const after = formats.durationInWords(step.after_minutes * 60);
  const sayWhen =
    step.after_minutes === 0
      ? t('onCall.chain.atOnce')
      : t(step.step === 'mail' ? 'onCall.chain.after' : 'onCall.chain.afterUnacknowledged', { after });
  const words = wordsOf(step, { canMail, canPush });
  const people = formats.list(step.names);
  const targets = formats.list(step.targets.map((name) => t('onCall.chain.quoted', { name })));
  return (
    <li className={styles.step} data-nobody={step.names.length === 0 || undefined}>
      <p className={styles.when}>{sayWhen}</p>
      <p className={styles.what}>
        {step.names.length === 0
          ? t(`onCall.chain.nobody.${step.step}`)
          : t(`onCall.chain.${words}`, {
              people,
              ways: t(`onCall.chain.ways.${canPush ? (canMail ? 'pushAndMail' : 'push') : 'mail'}`),
            })}
      </p>
      {step.targets.length > 0 ? (
        <p className={styles.what}>{t('onCall.chain.targets', { targets })}</p>
      ) : null}
      {step.step === 'start' && step.targets.length === 0 ? (
        <p className={styles.quiet}>{t('onCall.chain.noTargets')}</p>
      ) : null}
    </li>
  );
}

function wordsOf({ step, fallback }: ChainStep, { canMail, canPush }: Ways) {
  if (step === 'mail') return canMail ? step : 'mailNotYet';
  // Whoever is on duty gets the mail in a step of its own.
  const isMailed = canMail && (step !== 'start' || fallback);
  if (!canPush && !isMailed) return `onlyRings.${step}` as const;
  return step === 'start' && fallback ? 'startFallback' : step;
}
