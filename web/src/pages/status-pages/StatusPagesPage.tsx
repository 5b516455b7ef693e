import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listStatusPages } from '#src/status-pages/contract.ts';
import { read } from '#web/read.ts';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { useMayManage } from '#web/shell/my-role.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { ReadOnly } from '#web/ui/ReadOnly.tsx';
import { useWithoutDeleted } from '#web/undoable.ts';
import { StatusPageRow } from './StatusPageRow.tsx';
import styles from './StatusPagesPage.module.css';

/** The status pages of the organization, one row each. */
export default function StatusPagesPage() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const mayManage = useMayManage();
  const pages = useQuery(read(listStatusPages, { params: { org_id: orgId } }));
  const list = useWithoutDeleted(pages.data);
  const create = mayManage ? <NewPage orgId={orgId} /> : <ReadOnly />;
  return (
    <>
      <PageHead title={t('statusPages.title')} below={t('statusPages.lead')}>
        {list.length === 0 ? null : create}
      </PageHead>
      {pages.isPending ? <LoadingRows count={3} height={64} /> : null}
      {pages.isError ? <Failure error={pages.error} retry={pages.refetch} /> : null}
      {pages.isSuccess && list.length === 0 ? (
        <Empty title={t('statusPages.none')} text={t('statusPages.noneText')}>
          {create}
        </Empty>
      ) : null}
      {list.length === 0 ? null : (
        <ul className={styles.list} aria-label={t('statusPages.title')}>
          {list.map((page) => (
            <StatusPageRow key={page.id} orgId={orgId} page={page} />
          ))}
        </ul>
      )}
    </>
  );
}

function NewPage({ orgId }: { orgId: string }) {
  const { t } = useTranslation();
  return (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => <Link {...props} to="/o/$orgId/status-pages/new" params={{ orgId }} />}
    >
      {t('statusPages.new')}
    </Button>
  );
}
