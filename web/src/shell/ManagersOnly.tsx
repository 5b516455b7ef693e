import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { PageHead } from '../ui/PageHead.tsx';
import { useMayManage } from './my-role.ts';

/** Pages that only project management may open; others are told so, and nothing is asked of the server. */
export function ManagersOnly() {
  const { t } = useTranslation();
  if (useMayManage()) return <Outlet />;
  return <PageHead title={t('managersOnly.title')} below={t('managersOnly.text')} />;
}
