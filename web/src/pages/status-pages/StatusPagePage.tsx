import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getStatusPage } from '#src/status-pages/contract.ts';
import { AsCode } from '#web/as-code/AsCode.tsx';
import { ApiError } from '#web/call.ts';
import { read } from '#web/read.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { StatusPageEditor } from './editor/StatusPageEditor.tsx';
import { StatusPageFacts } from './StatusPageFacts.tsx';

/** A status page: its editor, for those who may change it; what it is, for everybody else. */
export default function StatusPagePage() {
  const { t } = useTranslation();
  const { orgId, pageId } = useParams({ from: '/signed-in/o/$orgId/status-pages/$pageId' });
  const mayManage = useMayManage();
  const detail = useQuery(read(getStatusPage, { params: { id: pageId } }));
  if (detail.error instanceof ApiError && detail.error.status === 404)
    return <Empty title={t('statusPages.gone')} />;
  if (detail.isError) return <Failure error={detail.error} retry={detail.refetch} />;
  if (detail.isPending) return <LoadingRows count={4} height={80} />;
  return (
    <>
      {mayManage ? (
        <StatusPageEditor key={pageId} orgId={orgId} detail={detail.data} />
      ) : (
        <StatusPageFacts orgId={orgId} detail={detail.data} />
      )}
      <AsCode operation={getStatusPage} request={{ params: { id: pageId } }} shown={detail.data} />
    </>
  );
}
