import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LoadingRows } from '../ui/LoadingRows.tsx';
import { PageHead } from '../ui/PageHead.tsx';
import { mayManage, useMyRole } from './my-role.ts';

/** Pages that require project management; for others it says so, and sends no request. */
export function ManagersOnly() {
  const { t } = useTranslation();
  const role = useMyRole();
  if (role === undefined) return <LoadingRows count={3} />;
  if (mayManage(role)) return <Outlet />;
  return <PageHead title={t('managersOnly.title')} below={t('managersOnly.text')} />;
}
