import { useNavigate, useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { updateMaintenance } from '#src/maintenance/contract.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { send } from '#web/write.ts';
import { useWindows } from './use-windows.ts';
import { WindowForm } from './WindowForm.tsx';

export default function EditWindowPage() {
  const { t } = useTranslation();
  const { orgId, windowId } = useParams({ from: '/signed-in/o/$orgId/managing/maintenance/$windowId/edit' });
  const navigate = useNavigate();
  const windows = useWindows(orgId);
  if (windows.isError) return <Failure error={windows.error} retry={windows.refetch} />;
  if (windows.isPending) return <LoadingRows count={4} height={64} />;
  const window = windows.data.find(({ id }) => id === windowId);
  if (window === undefined || window.cancelled) return <Empty title={t('maintenance.gone')} />;
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
