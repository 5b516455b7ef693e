import { useTranslation } from 'react-i18next';
import { createMaintenance } from '#src/maintenance/contract.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { PageHead } from '#web/ui/PageHead.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { WindowForm } from './WindowForm.tsx';
import { bodyOf } from './window-values.ts';

export default function NewWindowPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const navigate = useNavigateWhileShown();
  return (
    <>
      <PageHead title={t('maintenance.plan')} below={t('maintenance.planLead')} />
      <WindowForm
        submitLabel={t('maintenance.plan')}
        onSubmit={async ({ values, times }) => {
          const body = bodyOf(values, times, null);
          const { id } = await send(createMaintenance, { params: { org_id: orgId }, body });
          await navigate({
            to: '/o/$orgId/maintenance/$windowId',
            params: { orgId, windowId: id },
            replace: true,
          });
        }}
        onCancel={() => void navigate({ to: '/o/$orgId/maintenance', params: { orgId } })}
      />
    </>
  );
}
