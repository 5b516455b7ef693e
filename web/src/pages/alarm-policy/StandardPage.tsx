import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { putAlarmStandard } from '#src/alarm-policy/contract.ts';
import { AdministratorsOnly } from '#web/shell/AdministratorsOnly.tsx';
import { useOrgId } from '#web/shell/chosen-project.ts';
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
  const navigate = useNavigate();
  const leave = () => navigate({ to: '/o/$orgId/settings/alarm-policy', params: { orgId } });

  async function save(values: PolicyFormValues) {
    const body = { min_regions: Number(values.min_regions), ...writtenAlarm(values) };
    await send(putAlarmStandard, { params: { org_id: orgId }, body });
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
