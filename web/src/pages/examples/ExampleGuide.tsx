import { Button, CloseButton } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { EXAMPLE_STAGES, type ExampleOutage, getExample } from '#src/examples/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import styles from './ExampleGuide.module.css';
import { showGuide, useGuideShown } from './guide.ts';
import { RemoveExample } from './RemoveExample.tsx';

/** The example target recovers after a set time, which no event announces. */
const EVERY_MS = 2_000;
/** The stages that a person sees, in order; the steps before and after belong to them. */
const STEPS = ['failing', 'confirming', 'open', 'acknowledged', 'recovering', 'resolved'] as const;

/** Explains a running example outage: what just happened and what comes next, beside the real pages. */
export function ExampleGuide({ orgId }: { orgId: string }) {
  const isShown = useGuideShown(orgId);
  return isShown ? <Guide orgId={orgId} /> : null;
}

function Guide({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  const { data } = useQuery({
    ...read(getExample, { params: { org_id: orgId } }),
    refetchInterval: ({ state }) => (isMoving(state.data?.example) ? EVERY_MS : false),
  });
  const example = data?.example;
  if (example == null || !example.mine) return null;
  return (
    <aside className={styles.guide} aria-label={t('example.guide')}>
      <CloseButton
        className={styles.close}
        aria-label={t('example.close')}
        onClick={() => showGuide(orgId, false)}
      />
      <Steps stage={example.stage} />
      <Story orgId={orgId} example={example} />
    </aside>
  );
}

const isMoving = (example: ExampleOutage | null | undefined): boolean =>
  example != null && example.stage !== 'resolved' && example.stage !== 'over';

function Steps({ stage }: { stage: ExampleOutage['stage'] }) {
  const { t } = useTranslation();
  const at = EXAMPLE_STAGES.indexOf(stage);
  return (
    <ol className={styles.steps}>
      {STEPS.map((step) => {
        const place = EXAMPLE_STAGES.indexOf(step);
        const state = place < at || stage === 'resolved' ? 'done' : place === at ? 'now' : 'later';
        return (
          <li key={step} data-state={state} aria-current={state === 'now' ? 'step' : undefined}>
            <span className={styles.mark} aria-hidden="true">
              {state === 'done' ? <IconCheck size={11} stroke={3} /> : null}
            </span>
            <span className={styles.step}>{t(`example.steps.${step}`)}</span>
          </li>
        );
      })}
    </ol>
  );
}

function Story({ orgId, example }: { orgId: string; example: ExampleOutage }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { stage, confirming, interval_seconds: interval } = example;
  const values = {
    failures: confirming?.failures ?? 1,
    required: confirming?.required ?? 2,
    interval: formats.durationInWords(interval),
  };
  return (
    <>
      <div className={styles.words} role="status">
        <h2 className={styles.title}>{t(`example.stage.${stage}.title`, values)}</h2>
        <p>{t(`example.stage.${stage}.text`, values)}</p>
      </div>
      <div className={styles.actions}>
        <Actions orgId={orgId} example={example} />
      </div>
    </>
  );
}

function Actions({ orgId, example }: { orgId: string; example: ExampleOutage }) {
  const { t } = useTranslation();
  const { stage, monitor_id: monitorId, incident_id: incidentId } = example;
  if (incidentId === null)
    return stage === 'over' ? (
      <RemoveExample orgId={orgId} />
    ) : (
      <Button
        size="xs"
        variant="default"
        renderRoot={(props) => (
          <Link {...props} to="/o/$orgId/monitors/$monitorId" params={{ orgId, monitorId }} />
        )}
      >
        {t('example.watch')}
      </Button>
    );
  if (stage === 'resolved')
    return (
      <>
        <Button
          size="xs"
          renderRoot={(props) => (
            <Link {...props} to="/o/$orgId/incidents/$incidentId/postmortem" params={{ orgId, incidentId }} />
          )}
        >
          {t('example.postmortem')}
        </Button>
        <Button
          size="xs"
          variant="default"
          renderRoot={(props) => <Link {...props} to="/o/$orgId/notifications" params={{ orgId }} />}
        >
          {t('example.next')}
        </Button>
        <RemoveExample orgId={orgId} />
      </>
    );
  return (
    <Button
      size="xs"
      variant={stage === 'open' ? 'filled' : 'default'}
      renderRoot={(props) => (
        <Link {...props} to="/o/$orgId/incidents/$incidentId" params={{ orgId, incidentId }} />
      )}
    >
      {t('example.evidence')}
    </Button>
  );
}
