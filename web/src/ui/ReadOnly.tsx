import { useTranslation } from 'react-i18next';
import { Locked } from './Locked.tsx';

/** In place of the actions of those who manage projects. */
export function ReadOnly() {
  const { t } = useTranslation();
  return <Locked text={t('ui.readOnly')} tall />;
}
