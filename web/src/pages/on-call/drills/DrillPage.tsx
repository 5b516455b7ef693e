import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { acknowledgeDrill, type DrillRecord, getDrill, stopDrill } from '#src/on-call/drills/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { mayAct, mayAdminister, useMyRole } from '#web/shell/my-role.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { Refused } from '#web/ui/Refused.tsx';
import { useNow } from '#web/ui/use-now.ts';
import { useWrite } from '#web/use-write.ts';
import { send } from '#web/write.ts';
import { DrillAttempts } from './DrillAttempts.tsx';
import styles from './Drills.module.css';
import { useDrillWords } from './use-drill-words.ts';

/** The record of a fire drill, updated while it runs. */
export default function DrillPage() {
  const { t } = useTranslation();
  const { orgId, drillId } = useParams({ from: '/signed-in/o/$orgId/on-call/drills/$drillId' });
  const drill = useQuery({
    ...read(getDrill, { params: { org_id: orgId, drill_id: drillId } }),
    refetchInterval: ({ state }) => (state.data?.outcome === null ? 10_000 : false),
  });
  if (drill.data === undefined)
    return (
      <PagePlaceholder
        query={drill}
        title={t('drills.title')}
        gone={t('drills.notFound')}
        back={
          <BackLink to="/o/$orgId/on-call/drills" params={{ orgId }}>
            {t('drills.title')}
          </BackLink>
        }
      />
    );
  return <Shown orgId={orgId} drill={drill.data} />;
}

function Shown({ orgId, drill }: { orgId: string; drill: DrillRecord }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useDrillWords();
  const { started_at_unix: at, started_by_name: by, reaches } = drill;
  return (
    <>
      <PageHead
        title={t('drills.of', { when: formats.dateAndTime(at) })}
        above={
          <BackLink to="/o/$orgId/on-call/drills" params={{ orgId }}>
            {t('drills.title')}
          </BackLink>
        }
        below={t('drills.startedBy', { whose: words.whose(drill), name: by ?? t('drills.gone') })}
      >
        {drill.outcome === null ? <Actions orgId={orgId} drill={drill} /> : null}
      </PageHead>
      <div className={styles.parts}>
        <p className={styles.result} data-outcome={drill.outcome ?? 'running'} role="status">
          {words.result(drill)}
        </p>
        {drill.outcome === null ? <Coming drill={drill} /> : null}
        <Panel title={t('drills.reached')} flush>
          {reaches.length === 0 ? (
            <p className={styles.nobody}>
              {t(drill.outcome === null ? 'drills.nobodyYet' : 'drills.nobody')}
            </p>
          ) : (
            <DrillAttempts drill={drill} />
          )}
        </Panel>
      </div>
    </>
  );
}

function Actions({ orgId, drill }: { orgId: string; drill: DrillRecord }) {
  const { t } = useTranslation();
  const role = useMyRole();
  const write = useWrite();
  const params = { org_id: orgId, drill_id: drill.id };
  return (
    <>
      <Refused write={write} />
      {mayAdminister(role) ? (
        <Button
          variant="default"
          disabled={write.busy}
          onClick={() => void write.run(() => send(stopDrill, { params }))}
        >
          {t('drills.stop')}
        </Button>
      ) : null}
      {mayAct(role) ? (
        <Button loading={write.busy} onClick={() => void write.run(() => send(acknowledgeDrill, { params }))}>
          {t('drills.acknowledge')}
        </Button>
      ) : null}
    </>
  );
}

/** The next step if nobody acknowledges the drill. */
function Coming({ drill }: { drill: DrillRecord }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useDrillWords();
  const now = useNow();
  return (
    <Panel title={t('drills.coming')}>
      <ol className={styles.coming}>
        {drill.coming.map(({ step, due_at_unix: due }) => (
          <li key={step}>
            <span>{words.step(step)}</span>
            <span className={styles.due}>
              {due <= now ? t('drills.now') : t('drills.in', { time: formats.durationInWords(due - now) })}
            </span>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
