import { notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';
import { createAlertProfile } from '#src/alarm-policy/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { FormHead } from './FormHead.tsx';
import { PolicyForm } from './PolicyForm.tsx';
import { NEW_PROFILE, type PolicyFormValues, writtenFields } from './policy-form.ts';
import { WithStandard } from './WithStandard.tsx';

export default function NewProfilePage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigateWhileShown();
  const leave = () => navigate({ to: '/o/$orgId/settings/alarm-policy', params: { orgId } });

  async function create(values: PolicyFormValues) {
    const body = { name: values.name, ...writtenFields(values) };
    const made = await send(createAlertProfile, { params: { org_id: orgId }, body });
    notifications.show({ message: t('alarmPolicy.profiles.created', { name: made.name }) });
    await leave();
  }

  return (
    <>
      <FormHead title={t('alarmPolicy.profiles.new')} below={t('alarmPolicy.profiles.formLead')} />
      <WithStandard>
        {(standard) => (
          <PolicyForm
            kind="profile"
            initial={NEW_PROFILE}
            standard={standard}
            submitLabel={t('alarmPolicy.profiles.create')}
            onSubmit={create}
            onCancel={() => void leave()}
          />
        )}
      </WithStandard>
    </>
  );
}
