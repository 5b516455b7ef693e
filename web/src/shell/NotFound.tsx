import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Frame } from '../pages/accounts/Frame.tsx';

/** An address the dashboard does not have. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <Frame title={t('notFound.title')}>
      <p>{t('notFound.text')}</p>
      <Link to="/">{t('notFound.home')}</Link>
    </Frame>
  );
}
