import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { updateMaintenance } from '#src/maintenance/contract.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { send } from '#web/write.ts';
import { useWindows } from './use-windows.ts';
import { WindowForm } from './WindowForm.tsx';

export default function EditWindowPage() {
  const { t } = useTranslation();
  const { orgId, windowId } = useParams({ from: '/signed-in/o/$orgId/managing/maintenance/$windowId/edit' });
  const navigate = useNavigate();
  const windows = useWindows(orgId);
  const window = windows.data?.find(({ id }) => id === windowId);
  if (window === undefined || window.cancelled)
    return (
      <PagePlaceholder
        query={windows}
        isGone={windows.isSuccess}
        title={t('maintenance.title')}
        gone={t('maintenance.gone')}
        back={
          <BackLink to="/o/$orgId/maintenance" params={{ orgId }}>
            {t('maintenance.title')}
          </BackLink>
        }
      />
    );
  const back = () =>
    navigate({ to: '/o/$orgId/maintenance/$windowId', params: { orgId, windowId }, replace: true });
  return (
    <>
      <PageHead title={t('maintenance.edit')} />
      <WindowForm
        key={window.id}
        window={window}
        submitLabel={t('ui.save')}
        onSubmit={async (body, scope) => {
          const params = { org_id: orgId, window_id: windowId };
          await send(updateMaintenance, { params, body, query: { scope } });
          await back();
        }}
        onCancel={() => void back()}
      />
    </>
  );
}
