import { useTranslation } from 'react-i18next';
import { useResultsPausedSince } from '../connection.ts';
import { useFormats } from '../format.ts';
import { Banner } from './Banner.tsx';
import { useIsOperator } from './my-role.ts';

/** A notice on every page that no results are stored: since when, what still works, and what to do. */
export function ResultsPaused() {
  const { t } = useTranslation();
  const formats = useFormats();
  const isOperator = useIsOperator();
  const since = useResultsPausedSince();
  if (since === null) return null;
  return (
    <Banner tone="warning" title={t('resultsPaused.title', { moment: formats.moment(since) })}>
      <p>{t('resultsPaused.why')}</p>
      <p>{t('resultsPaused.goesOn')}</p>
      <p>{t(isOperator ? 'resultsPaused.operator' : 'resultsPaused.others')}</p>
    </Banner>
  );
}
