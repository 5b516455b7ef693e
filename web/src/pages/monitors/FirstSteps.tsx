import { Button } from '@mantine/core';
import { IconBellRinging, IconCircle, IconCircleCheckFilled } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getExample } from '#src/examples/contract.ts';
import { getFirstSteps, hideFirstSteps, type FirstSteps as Steps } from '#src/first-steps/contract.ts';
import { read } from '#web/read.ts';
import { useMayAct, useMayManage } from '#web/shell/my-role.ts';
import { inNote, useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { useGuideShown } from '../examples/guide.ts';
import { useSeeOutage } from '../examples/use-see-outage.ts';
import styles from './FirstSteps.module.css';

/** The steps still missing before an alarm reaches somebody; gone when all are done, or when dismissed. Viewers can take none. */
export function FirstSteps({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const params = { org_id: orgId };
  const { data } = useQuery(read(getFirstSteps, { params }));
  const write = useWrite({ show: inNote });
  const mayAct = useMayAct();
  if (!mayAct || data === undefined || data.done || data.hidden) return null;
  const next = data.steps.find(({ done }) => !done)?.step;
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
          onClick={() => void write.run(() => send(hideFirstSteps, { params }))}
        >
          {t('firstSteps.hide')}
        </Button>
      </div>
      <ol className={styles.list}>
        {data.steps.map(({ step, done }) => (
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
      <Example orgId={orgId} />
    </section>
  );
}

/** Starts the example outage, or leads back to the one under way whose guide was closed. */
function Example({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const mayManage = useMayManage();
  const isGuided = useGuideShown(orgId);
  const { data } = useQuery({ ...read(getExample, { params: { org_id: orgId } }), enabled: mayManage });
  const write = useWrite({ show: inNote });
  const see = useSeeOutage(write);
  const isMine = data?.example?.mine === true;
  // Whoever is being guided needs no second way, and what cannot be started here is no step.
  if (!mayManage || data === undefined || (isMine ? isGuided : data.obstacle !== null)) return null;
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
