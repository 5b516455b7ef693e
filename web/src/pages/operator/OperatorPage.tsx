import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { listAllOrganizations } from '#src/operator/contract.ts';
import { call } from '#web/call.ts';
import { readKeyOf } from '#web/read.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import panel from '#web/ui/Panel.module.css';
import { ShowMore } from '#web/ui/ShowMore.tsx';
import { OperatorsOnly } from './OperatorsOnly.tsx';
import { OrganizationTable } from './OrganizationTable.tsx';

const PAGE = 100;

export default function OperatorPage() {
  const { t } = useTranslation();
  return (
    <OperatorsOnly title={t('operator.title')}>
      <Organizations />
    </OperatorsOnly>
  );
}

/** All organizations, page by page; the search covers the loaded ones. */
function Organizations() {
  const { t } = useTranslation();
  const [text, setText] = useState('');
  const pages = useInfiniteQuery({
    queryKey: readKeyOf(listAllOrganizations),
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam }) =>
      call(listAllOrganizations, { query: { limit: PAGE, ...(pageParam && { before: pageParam }) } }),
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
  });
  const list = pages.data?.pages.flat() ?? [];
  const wanted = text.trim().toLowerCase();
  const found = list.filter(({ name, slug }) => `${name} ${slug}`.toLowerCase().includes(wanted));
  return (
    <>
      <PageHead title={t('operator.title')} below={t('operator.lead')} />
      {pages.isPending ? <LoadingRows count={5} height={52} /> : null}
      {pages.isError ? <Failure error={pages.error} retry={pages.refetch} /> : null}
      {pages.isSuccess && list.length === 0 ? <Empty title={t('operator.none')} /> : null}
      {list.length === 0 ? null : (
        <>
          <TextInput
            maw={340}
            mb={14}
            type="search"
            leftSection={<IconSearch size={15} aria-hidden="true" />}
            aria-label={t('operator.search')}
            placeholder={t('operator.search')}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          {found.length === 0 ? (
            <Empty title={t('operator.nothingFound', { text: text.trim() })} />
          ) : (
            <div className={panel.list}>
              <OrganizationTable organizations={found} />
            </div>
          )}
        </>
      )}
      <ShowMore pages={pages} />
    </>
  );
}
