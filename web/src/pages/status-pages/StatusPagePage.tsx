import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { getStatusPage } from '#src/status-pages/contract.ts';
import { AsCode } from '#web/as-code/AsCode.tsx';
import { isMissing } from '#web/missing.ts';
import { read } from '#web/read.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { BackLink } from '#web/ui/BackLink.tsx';
import { PagePlaceholder } from '#web/ui/PagePlaceholder.tsx';
import { StatusPageEditor } from './editor/StatusPageEditor.tsx';
import { StatusPageFacts } from './StatusPageFacts.tsx';

/** A status page: its editor for people who may edit it, its settings for others. */
export default function StatusPagePage() {
  const { t } = useTranslation();
  const { orgId, pageId } = useParams({ from: '/signed-in/o/$orgId/status-pages/$pageId' });
  const mayManage = useMayManage();
  const detail = useQuery(read(getStatusPage, { params: { id: pageId } }));
  if (detail.data === undefined || isMissing(detail.error))
    return (
      <PagePlaceholder
        query={detail}
        title={t('statusPages.one')}
        gone={t('statusPages.gone')}
        back={
          <BackLink to="/o/$orgId/status-pages" params={{ orgId }}>
            {t('statusPages.title')}
          </BackLink>
        }
      />
    );
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
