import { Button } from '@mantine/core';
import { IconBellRinging, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { hideFirstSteps, type FirstSteps as Steps } from '#src/first-steps/contract.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { useGuideShown } from '../examples/guide.ts';
import { useSeeOutage } from '../examples/use-see-outage.ts';
import styles from './FirstSteps.module.css';
import type { useFirstSteps } from './use-first-steps.ts';

type Props = { orgId: string; of: ReturnType<typeof useFirstSteps> };

/** The steps still missing before an alarm reaches somebody, as the page has read them; nothing if there are none. */
export function FirstSteps({ orgId, of: { steps, example } }: Props) {
  const { t } = useTranslation();
  const write = useWrite({ show: inNote });
  if (steps === null) return null;
  const next = steps.find(({ done }) => !done)?.step;
  return (
    <section className={styles.panel} aria-labelledby="first-steps">
      <div className={styles.head}>
        <h2 className={styles.title} id="first-steps">
          {t('firstSteps.title')}
        </h2>
        <Button
          size="compact-xs"
          variant="subtle"
          loading={write.busy}
          onClick={() => void write.run(() => send(hideFirstSteps, { params: { org_id: orgId } }))}
        >
          {t('firstSteps.hide')}
        </Button>
      </div>
      <ol className={styles.list}>
        {steps.map(({ step, done }) => (
          <li
            key={step}
            className={styles.step}
            data-done={done || undefined}
            data-next={step === next || undefined}
          >
            {done ? (
              <IconCircleCheckFilled size={20} aria-hidden="true" />
            ) : (
              <IconCircle size={20} aria-hidden="true" />
            )}
            <div>
              <p className={styles.what}>
                {t(`firstSteps.${step}.title`)}
                <span className="visually-hidden"> ({t(done ? 'firstSteps.done' : 'firstSteps.open')})</span>
              </p>
              {done ? null : (
                <p className={styles.how}>
                  {t(`firstSteps.${step}.text`)} <Ways orgId={orgId} step={step} />
                </p>
              )}
            </div>
          </li>
        ))}
      </ol>
      {example === undefined ? null : <Example orgId={orgId} of={example} />}
    </section>
  );
}

/** Starts the example outage, or leads back to the one under way whose guide was closed. */
function Example({ orgId, of: data }: { orgId: string; of: NonNullable<Props['of']['example']> }) {
  const { t } = useTranslation();
  const isGuided = useGuideShown(orgId);
  const write = useWrite({ show: inNote });
  const see = useSeeOutage(write);
  const isMine = data.example?.mine === true;
  // Whoever is being guided needs no second way, and what cannot be started here is no step.
  if (isMine ? isGuided : data.obstacle !== null) return null;
  return (
    <div className={styles.example}>
      <p className={styles.offer}>
        <span className={styles.exampleName}>{t('example.offer')}</span>{' '}
        {t(isMine ? 'example.obstacle.running' : 'firstSteps.exampleText')}
      </p>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconBellRinging size={15} aria-hidden="true" />}
        loading={write.busy}
        onClick={() => void see(orgId)}
      >
        {t(isMine ? 'example.show' : 'example.start')}
      </Button>
    </div>
  );
}

/** The page on which a step is done. */
function Ways({ orgId, step }: { orgId: string; step: Steps['steps'][number]['step'] }): ReactNode {
  const { t } = useTranslation();
  const params = { orgId };
  const push = (
    <Link to="/account" hash="push">
      {t('firstSteps.ways.push')}
    </Link>
  );
  switch (step) {
    case 'monitor':
      return (
        <Link to="/o/$orgId/monitors/new" params={params}>
          {t('firstSteps.ways.monitor')}
        </Link>
      );
    case 'channel':
      return (
        <>
          <Link to="/o/$orgId/notifications/new" params={params}>
            {t('firstSteps.ways.target')}
          </Link>
          {' · '}
          {push}
        </>
      );
    case 'person':
      return (
        <>
          <Link to="/o/$orgId/on-call" params={params}>
            {t('firstSteps.ways.onCall')}
          </Link>
          {' · '}
          {push}
        </>
      );
    case 'message':
      return (
        <>
          <Link to="/o/$orgId/on-call/drills" params={params}>
            {t('firstSteps.ways.drill')}
          </Link>
          {' · '}
          <Link to="/o/$orgId/notifications" params={params}>
            {t('firstSteps.ways.test')}
          </Link>
        </>
      );
  }
}
