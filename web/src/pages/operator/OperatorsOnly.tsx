import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { getMe } from '#src/accounts/contract.ts';
import { read } from '#web/read.ts';
import { Empty } from '#web/ui/Empty.tsx';
import { Failure } from '#web/ui/Failure.tsx';
import { LoadingRows } from '#web/ui/LoadingRows.tsx';
import { PageHead } from '#web/ui/PageHead.tsx';
import { OperatorFrame } from './OperatorFrame.tsx';

/** A page for the operator; for others it shows a refusal and sends no request. */
export function OperatorsOnly({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  const me = useQuery(read(getMe, {}));
  const content = () => {
    if (me.isPending) return <LoadingRows count={4} height={52} />;
    if (me.isError) return <Failure error={me.error} retry={me.refetch} />;
    if (me.data.operator) return children;
    return (
      <>
        <PageHead title={title} />
        <Empty title={t('operator.only')} text={t('operator.onlyText')} />
      </>
    );
  };
  return <OperatorFrame>{content()}</OperatorFrame>;
}
