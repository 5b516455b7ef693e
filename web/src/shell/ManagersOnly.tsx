import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../ui/PageHead.tsx';
import { useMayManage } from './my-role.ts';

/** Pages that require project management; for others it says so, and sends no request. */
export function ManagersOnly() {
  const { t } = useTranslation();
  if (useMayManage()) return <Outlet />;
  return <PageHead title={t('managersOnly.title')} below={t('managersOnly.text')} />;
}
