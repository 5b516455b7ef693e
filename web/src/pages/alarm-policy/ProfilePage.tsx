import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type AlertProfile, listAlertProfiles, updateAlertProfile } from '#src/alarm-policy/contract.ts';
import { changedOf } from '#web/meanwhile/clashes.ts';
import type { Meanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { MAX_PAGE, queryClient, read } from '#web/read.ts';
import { Failure } from '#web/ui/Failure.tsx';
import { Gone } from '#web/ui/Gone.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { Panel } from '#web/ui/Panel.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { FormHead } from './FormHead.tsx';
import { PolicyForm } from './PolicyForm.tsx';
import { ProfileUsers } from './ProfileUsers.tsx';
import { type PolicyFormValues, policyFormValues, writtenFields } from './policy-form.ts';
import { WithStandard } from './WithStandard.tsx';

const allProfiles = (orgId: string) =>
  read(listAlertProfiles, { params: { org_id: orgId }, query: MAX_PAGE });

export default function ProfilePage() {
  const { t } = useTranslation();
  const { orgId, profileId } = useParams({
    from: '/signed-in/o/$orgId/settings/managing/alarm-policy/profiles/$profileId',
  });
  const profiles = useQuery(allProfiles(orgId));
  if (profiles.isPending) return <LoadingRows count={4} height={64} />;
  if (profiles.isLoadingError) return <Failure error={profiles.error} retry={profiles.refetch} />;
  const profile = profiles.data.find(({ id }) => id === profileId);
  if (profile !== undefined) return <Profile key={profile.id} orgId={orgId} profile={profile} />;
  return (
    <>
      <FormHead title={t('alarmPolicy.profiles.title')} />
      <Gone title={t('alarmPolicy.profiles.gone')} />
    </>
  );
}

function Profile({ orgId, profile }: { orgId: string; profile: AlertProfile }) {
  const { t } = useTranslation();
  const navigate = useNavigateWhileShown();
  const { id, name, monitor_count } = profile;
  const leave = () => navigate({ to: '/o/$orgId/settings/alarm-policy', params: { orgId } });

  /** Sends what the reader changed, unless somebody else has changed the same. */
  async function save(values: PolicyFormValues, { base, admits }: Meanwhile<PolicyFormValues>) {
    const profiles = await queryClient.fetchQuery({ ...allProfiles(orgId), staleTime: 0 });
    const now = profiles.find((each) => each.id === id);
    // Deleted meanwhile: the page says so.
    if (now === undefined || !admits(values, policyFormValues(now))) return;
    const written = (of: PolicyFormValues) => ({ name: of.name, ...writtenFields(of) });
    const body = changedOf(written(base), written(values));
    const saved = await send(updateAlertProfile, { params: { profile_id: id }, body });
    notifications.show({ message: t('alarmPolicy.profiles.saved', { name: saved.name }) });
    await leave();
  }

  return (
    <>
      <FormHead
        title={t('alarmPolicy.profiles.edit', { name })}
        below={t('alarmPolicy.profiles.editLead', { count: monitor_count })}
      />
      <Stack gap={20} maw={760}>
        <WithStandard>
          {(standard) => (
            <PolicyForm
              kind="profile"
              initial={policyFormValues(profile)}
              stored={policyFormValues(profile)}
              standard={standard}
              submitLabel={t('ui.save')}
              onSubmit={save}
              onCancel={() => void leave()}
            />
          )}
        </WithStandard>
        {monitor_count === 0 ? null : (
          <Panel title={t('alarmPolicy.profiles.users')}>
            <ProfileUsers profileId={id} />
          </Panel>
        )}
      </Stack>
    </>
  );
}
