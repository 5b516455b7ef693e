import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { updateMaintenance } from '#src/maintenance/contract.ts';
import { queryClient } from '#web/read.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { useNavigateWhileShown } from '#web/ui/use-while-shown.ts';
import { send } from '#web/write.ts';
import { useWindows, windowsOf } from './use-windows.ts';
import { type Filled, WindowForm } from './WindowForm.tsx';
import { changesOf, valuesOf } from './window-values.ts';

export default function EditWindowPage() {
  const { t } = useTranslation();
  const { orgId, windowId } = useParams({ from: '/signed-in/o/$orgId/managing/maintenance/$windowId/edit' });
  const navigate = useNavigateWhileShown();
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

  /** Sends what the reader changed, unless somebody else has changed the same. */
  async function save({ values, scope, meanwhile }: Filled) {
    const current = await queryClient.fetchQuery({ ...windowsOf(orgId), staleTime: 0 });
    const now = current.find(({ id }) => id === windowId);
    // Gone or cancelled meanwhile: the page says so.
    if (now === undefined || now.cancelled || !meanwhile.admits(values, valuesOf(now))) return;
    const body = changesOf(meanwhile.together(values, valuesOf(now)), now, scope);
    const params = { org_id: orgId, window_id: windowId };
    if (Object.keys(body).length > 0) await send(updateMaintenance, { params, body, query: { scope } });
    await back();
  }

  return (
    <>
      <PageHead title={t('maintenance.edit')} />
      <WindowForm
        key={window.id}
        window={window}
        submitLabel={t('ui.save')}
        onSubmit={save}
        onCancel={() => void back()}
      />
    </>
  );
}
