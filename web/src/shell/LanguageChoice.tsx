import { SegmentedControl } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { chooseLanguage, LANGUAGES, type Language } from '../i18n/languages.ts';

/** English or German, each in its own language. */
export function LanguageChoice({ labelledBy }: { labelledBy: string }) {
  const { i18n } = useTranslation();
  return (
    <SegmentedControl
      size="xs"
      fullWidth
      aria-labelledby={labelledBy}
      value={i18n.language}
      onChange={(value) => void chooseLanguage(value as Language)}
      data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
    />
  );
}
