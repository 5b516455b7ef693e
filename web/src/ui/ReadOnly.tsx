import { useTranslation } from 'react-i18next';
import { Locked } from './Locked.tsx';

/** Replaces the actions of people who manage projects. */
export function ReadOnly() {
  const { t } = useTranslation();
  return <Locked text={t('ui.readOnly')} tall />;
}
