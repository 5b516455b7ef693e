import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getInstallation } from '#src/accounts/contract.ts';
import { listMembers } from '#src/members/contract.ts';
import { getOnCallSettings, getRoster } from '#src/on-call/contract.ts';
import { getOrganizationPlan } from '#src/plans/contract.ts';
import { read, WHOLE } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { mayAct, mayAdminister, useMyRole } from '#web/shell/my-role.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { TargetTrouble } from '../notifications/TargetTrouble.tsx';
import { CalendarPanel } from './CalendarPanel.tsx';
import { ChainPanel } from './ChainPanel.tsx';
import { DrillsPanel } from './DrillsPanel.tsx';
import { DutyNow } from './DutyNow.tsx';
import { Hint } from './Hint.tsx';
import styles from './OnCallPage.module.css';
import { OverridesPanel } from './OverridesPanel.tsx';
import { RosterPanel } from './RosterPanel.tsx';
import { RulesPanel } from './RulesPanel.tsx';
import { SchedulePanel } from './SchedulePanel.tsx';
import { ThisBrowserPanel } from './ThisBrowserPanel.tsx';

/** Who is on duty, who will be, and whom an alarm reaches in which order. Everybody reads it; admins change it. */
export default function OnCallPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const params = { org_id: orgId };
  const role = useMyRole();
  const settings = useQuery({ ...read(getOnCallSettings, { params }), refetchInterval: 60_000 });
  const roster = useQuery(read(getRoster, { params }));
  const members = useQuery(read(listMembers, { params, query: WHOLE }));
  const reads = [settings, roster, members];
  const broken = reads.find((each) => each.isLoadingError);
  // Viewers take no shift.
  const people = members.data?.filter((member) => mayAct(member.role));
  const [rules, order] = [settings.data, roster.data];
  const loaded = rules !== undefined && order !== undefined && people !== undefined;
  const mayEdit = loaded && rules.entitled && mayAdminister(role);

  return (
    <>
      <PageHead title={t('onCall.title')} below={t('onCall.lead')} />
      {broken === undefined ? null : <Failure error={broken.error} retry={broken.refetch} />}
      {broken === undefined && !loaded ? <LoadingRows count={4} height={110} /> : null}
      {loaded ? (
        <>
          <TargetTrouble />
          {rules.entitled ? null : (
            <div className={styles.notice}>
              <NotEntitled />
            </div>
          )}
          <DutyNow settings={rules} roster={order} />
          <div className={styles.columns}>
            <div className={styles.column}>
              <SchedulePanel settings={rules} roster={order} />
              <OverridesPanel settings={rules} people={people} mayEdit={mayEdit} />
              <div className={styles.editor}>
                <RosterPanel settings={rules} roster={order} people={people} mayEdit={mayEdit} />
              </div>
              <div className={styles.editor}>
                <RulesPanel settings={rules} people={people} mayEdit={mayEdit} />
              </div>
            </div>
            <div className={styles.column}>
              <ChainPanel settings={rules} />
              <NoMail />
              <ThisBrowserPanel />
              <DrillsPanel />
              <CalendarPanel />
            </div>
          </div>
        </>
      ) : null}
    </>
  );
}

function NotEntitled() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const plan = useQuery(read(getOrganizationPlan, { params: { org_id: orgId } }));
  return (
    <Hint tone="info" title={t('onCall.notEntitled.title', { plan: plan.data?.name ?? '' })}>
      {t('onCall.notEntitled.text')}{' '}
      <Link to="/o/$orgId/settings/plan" params={{ orgId }}>
        {t('onCall.notEntitled.plan')}
      </Link>
    </Hint>
  );
}

function NoMail() {
  const { t } = useTranslation();
  const installation = useQuery(read(getInstallation, {}));
  if (installation.data === undefined || installation.data.mail) return null;
  return (
    <Hint tone="warning" title={t('onCall.noMail.title')}>
      {t('onCall.noMail.text')}
    </Hint>
  );
}
