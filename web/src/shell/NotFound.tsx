import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Frame } from '../pages/accounts/Frame.tsx';

/** Shown for an unknown address. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <Frame title={t('notFound.title')}>
      <p>{t('notFound.text')}</p>
      <Link to="/">{t('notFound.home')}</Link>
    </Frame>
  );
}
