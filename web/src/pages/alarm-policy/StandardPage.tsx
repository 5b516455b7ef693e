import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { getAlarmStandard, putAlarmStandard } from '#src/alarm-policy/contract.ts';
import type { Meanwhile } from '#web/meanwhile/use-meanwhile.ts';
import { queryClient, read } from '#web/read.ts';
import { AdministratorsOnly } from '#web/shell/AdministratorsOnly.tsx';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { FormHead } from './FormHead.tsx';
import { PolicyForm } from './PolicyForm.tsx';
import { NEW_STANDARD, type PolicyFormValues, policyFormValues, writtenAlarm } from './policy-form.ts';
import { WithStandard } from './WithStandard.tsx';

export default function StandardPage() {
  return (
    <AdministratorsOnly page="alarmPolicy">
      <Standard />
    </AdministratorsOnly>
  );
}

/** Sets or changes the organization's alarm standard. */
function Standard() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const params = { org_id: orgId };
  const navigate = useNavigateWhileShown();
  const leave = () => navigate({ to: '/o/$orgId/settings/alarm-policy', params: { orgId } });

  /** A standard is replaced as a whole, so what others changed meanwhile goes along; not what the reader changed too. */
  async function save(values: PolicyFormValues, { base, admits, together }: Meanwhile<PolicyFormValues>) {
    const standard = await queryClient.fetchQuery({ ...read(getAlarmStandard, { params }), staleTime: 0 });
    // Removed meanwhile: it is set again, as the reader sees it.
    const now = standard === null ? base : policyFormValues(standard);
    if (!admits(values, now)) return;
    const all = together(values, now);
    const body = { min_regions: Number(all.min_regions), ...writtenAlarm(all) };
    await send(putAlarmStandard, { params, body });
    notifications.show({ message: t('alarmPolicy.standard.saved') });
    await leave();
  }

  return (
    <>
      <FormHead title={t('alarmPolicy.standard.title')} below={t('alarmPolicy.standard.meaning')} />
      <WithStandard>
        {(standard) => (
          <PolicyForm
            kind="standard"
            initial={standard === null ? NEW_STANDARD : policyFormValues(standard)}
            {...(standard === null ? {} : { stored: policyFormValues(standard) })}
            standard={null}
            submitLabel={t(standard === null ? 'alarmPolicy.standard.set' : 'ui.save')}
            onSubmit={save}
            onCancel={() => void leave()}
          />
        )}
      </WithStandard>
    </>
  );
}
