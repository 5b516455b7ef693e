import { useTranslation } from 'react-i18next';
import { useFormats } from '#web/format.ts';
import { useCauseWords } from '#web/pages/incidents/use-cause-words.ts';
import type { Annotation } from './annotations.ts';

/** An annotation in words: its kind, duration and name. */
export function useAnnotationWords(): (annotation: Annotation) => string {
  const { t } = useTranslation();
  const formats = useFormats();
  const words = useCauseWords();
  return ({ kind, from, to, name, origin, isOpen }) => {
    const lasted = isOpen ? t('chart.goesOn') : formats.duration(to - from);
    switch (kind) {
      case 'change':
        return t('chart.changeMark', { origin: t(`gate.origin.${origin as 'manual'}`), name });
      case 'maintenance':
        return t('chart.maintenanceMark', { name, lasted });
      case 'discarded':
        return t('chart.discardedMark', { name: words(name), lasted });
      case 'incident':
        return t('chart.incidentMark', { name: words(name), lasted });
    }
  };
}
