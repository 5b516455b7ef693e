import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { listApiKeys } from '#src/api-keys/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';
import { AdministratorsOnly } from '#web/shell/AdministratorsOnly.tsx';
import { useOrgId } from '#web/shell/chosen-project.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import panel from '#web/ui/Panel.module.css';
import { KeyTable } from './KeyTable.tsx';

export default function ApiKeysPage() {
  return (
    <AdministratorsOnly page="apiKeys">
      <ApiKeys />
    </AdministratorsOnly>
  );
}

function ApiKeys() {
  const { t } = useTranslation();
  const orgId = useOrgId();
  const keys = useQuery(read(listApiKeys, { params: { org_id: orgId }, query: MAX_PAGE }));
  const list = keys.data ?? [];
  const create = (
    <Button
      leftSection={<IconPlus size={16} />}
      renderRoot={(props) => <Link {...props} to="/o/$orgId/settings/api-keys/new" params={{ orgId }} />}
    >
      {t('keys.new')}
    </Button>
  );
  return (
    <>
      <PageHead title={t('keys.title')} below={t('keys.lead')}>
        {list.length === 0 ? null : create}
      </PageHead>
      {keys.isPending ? <LoadingRows count={3} height={64} /> : null}
      {keys.isError ? <Failure error={keys.error} retry={keys.refetch} /> : null}
      {keys.isSuccess && list.length === 0 ? (
        <Empty title={t('keys.none')} text={t('keys.noneText')}>
          {create}
        </Empty>
      ) : null}
      {list.length === 0 ? null : (
        <div className={panel.list}>
          <KeyTable keys={list} />
        </div>
      )}
    </>
  );
}
