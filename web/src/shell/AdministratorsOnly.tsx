import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Empty } from '../ui/Empty.tsx';
import { LoadingRows } from '../ui/LoadingRows.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { mayAdminister, useMyRole } from './my-role.ts';

type Props = { page: 'apiKeys' | 'alarmPolicy' | 'activity' | 'transfer'; children: ReactNode };

/** Pages for owners and admins; for others it explains why they are closed, and sends no request. */
export function AdministratorsOnly({ page, children }: Props) {
  const { t } = useTranslation();
  const role = useMyRole();
  if (mayAdminister(role)) return children;
  return (
    <>
      <PageHead title={t(`settings.tabs.${page}`)} />
      {role === undefined ? (
        <LoadingRows count={3} />
      ) : (
        <Empty title={t('managersOnly.title')} text={t(`settings.adminsOnly.${page}`)} />
      )}
    </>
  );
}
