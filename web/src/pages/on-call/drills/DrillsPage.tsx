import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Drill, listDrills } from '#src/on-call/drills/contract.ts';
import { useFormats } from '#web/format.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { mayAdminister, useMyRole } from '#web/shell/my-role.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import table from '#web/ui/Table.module.css';
import styles from './Drills.module.css';
import { StartDrill } from './StartDrill.tsx';
import { useDrillWords } from './use-drill-words.ts';

/** Fire drills: starts one, and lists earlier ones with their results. */
export default function DrillsPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const role = useMyRole();
  const drills = useQuery(read(listDrills, { params: { org_id: orgId } }));
  const running = drills.data?.find(({ outcome }) => outcome === null);
  return (
    <>
      <PageHead
        title={t('drills.title')}
        above={
          <BackLink to="/o/$orgId/on-call" params={{ orgId }}>
            {t('onCall.title')}
          </BackLink>
        }
        below={t('drills.lead')}
      />
      <div className={styles.parts}>
        {drills.isLoadingError ? (
          <Failure error={drills.error} retry={drills.refetch} />
        ) : drills.data === undefined || role === undefined ? (
          <LoadingRows count={3} height={90} />
        ) : (
          <>
            {mayAdminister(role) ? <StartDrill running={running ?? null} /> : null}
            <Panel title={t('drills.earlier')} flush>
              {drills.data.length === 0 ? (
                <Empty title={t('drills.none')} text={t('drills.noneText')} />
              ) : (
                <ul className={styles.list} aria-label={t('drills.earlier')}>
                  {drills.data.map((drill) => (
                    <Row key={drill.id} orgId={orgId} drill={drill} />
                  ))}
                </ul>
              )}
            </Panel>
          </>
        )}
      </div>
    </>
  );
}

function Row({ orgId, drill }: { orgId: string; drill: Drill }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useDrillWords();
  const { reached, outcome, started_at_unix: at } = drill;
  return (
    <li className={styles.drill}>
      <Link
        to="/o/$orgId/on-call/drills/$drillId"
        params={{ orgId, drillId: drill.id }}
        className={styles.when}
      >
        {formats.dateAndTime(at)}
      </Link>
      <span className={styles.whose}>{words.whose(drill)}</span>
      <span className={styles.outcome} data-outcome={outcome ?? 'running'}>
        {words.outcome(drill)}
      </span>
      <span className={table.quiet}>
        {t('drills.arrivedOf', {
          arrived: reached.arrived,
          count: reached.arrived + reached.failed + reached.waiting,
        })}
        {reached.failed === 0 ? null : (
          <strong className={styles.failed}> · {t('drills.failed', { count: reached.failed })}</strong>
        )}
      </span>
    </li>
  );
}
