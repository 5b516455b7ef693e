import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { getInstallation } from '#src/accounts/contract.ts';
import { listMembers, type Member } from '#src/members/contract.ts';
import { getOnCallSettings, getRoster, type OnCallSettings, type Roster } from '#src/on-call/contract.ts';
import { getOrganizationPlan } from '#src/plans/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { mayAct, mayAdminister, useMyRole } from '#web/shell/my-role.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { SaveBar } from '#web/ui/SaveBar.tsx';
import { UnsavedGuard } from '#web/ui/UnsavedGuard.tsx';
import { FailingTargets } from '../notifications/FailingTargets.tsx';
import { CalendarPanel } from './CalendarPanel.tsx';
import { ChainPanel } from './ChainPanel.tsx';
import { DrillsPanel } from './DrillsPanel.tsx';
import { Hint } from './Hint.tsx';
import { OnCallMeanwhile } from './OnCallMeanwhile.tsx';
import { OnCallNow } from './OnCallNow.tsx';
import styles from './OnCallPage.module.css';
import { OverridesPanel } from './OverridesPanel.tsx';
import { RosterPanel } from './RosterPanel.tsx';
import { RulesPanel } from './RulesPanel.tsx';
import { SchedulePanel } from './SchedulePanel.tsx';
import { ThisBrowserPanel } from './ThisBrowserPanel.tsx';
import { useOnCallDraft } from './use-on-call-draft.ts';
import { usePanelsRead } from './use-panels-read.ts';

/** Who is on call now and next, and the escalation chain. Everybody can read it; admins change it. */
export default function OnCallPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const params = { org_id: orgId };
  const role = useMyRole();
  const settings = useQuery({ ...read(getOnCallSettings, { params }), refetchInterval: 60_000 });
  const roster = useQuery(read(getRoster, { params }));
  const members = useQuery(read(listMembers, { params, query: MAX_PAGE }));
  const reads = [settings, roster, members];
  const broken = reads.find((each) => each.isLoadingError);
  // Viewers take no shifts.
  const people = members.data?.filter((member) => mayAct(member.role));
  const [rules, order] = [settings.data, roster.data];
  const areRead = usePanelsRead(orgId);
  const loaded = rules !== undefined && order !== undefined && people !== undefined && areRead;
  const mayEdit = loaded && rules.entitled && mayAdminister(role);

  return (
    <>
      <PageHead title={t('onCall.title')} below={t('onCall.lead')} />
      {broken === undefined ? null : <Failure error={broken.error} retry={broken.refetch} />}
      {broken === undefined && !loaded ? <LoadingRows count={4} height={110} /> : null}
      {loaded ? (
        <>
          <FailingTargets />
          {rules.entitled ? null : (
            <div className={styles.notice}>
              <NotEntitled />
            </div>
          )}
          <OnCallNow settings={rules} roster={order} />
          <Editors key={orgId} settings={rules} roster={order} people={people} mayEdit={mayEdit} />
        </>
      ) : null}
    </>
  );
}

type EditorsProps = { settings: OnCallSettings; roster: Roster; people: Member[]; mayEdit: boolean };

/** Everything below the person on call. One Save covers roster and rules. */
function Editors({ settings, roster, people, mayEdit }: EditorsProps) {
  const draft = useOnCallDraft(settings, roster);
  const formId = useId();
  return (
    <div className={styles.columns}>
      <div className={styles.column}>
        <SchedulePanel settings={settings} roster={roster} />
        <OverridesPanel settings={settings} people={people} mayEdit={mayEdit} />
        <form
          id={formId}
          className={`${styles.column} ${styles.editor}`}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void draft.save();
          }}
        >
          <OnCallMeanwhile meanwhile={draft.meanwhile} people={people} />
          <RosterPanel settings={settings} draft={draft} people={people} mayEdit={mayEdit} />
          <RulesPanel settings={settings} form={draft.rules} people={people} mayEdit={mayEdit} />
          <SaveBar isDirty={draft.isDirty} write={draft.write} form={formId} onDiscard={draft.discard} />
          <UnsavedGuard isDirty={draft.isDirty && !draft.write.busy} />
        </form>
      </div>
      <div className={styles.column}>
        <ChainPanel settings={settings} />
        <NoMail />
        <ThisBrowserPanel />
        <DrillsPanel />
        <CalendarPanel />
      </div>
    </div>
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
