import { useTranslation } from 'react-i18next';
import type { AccessMode } from '#src/domain/names.ts';
import { ChangedMeanwhile } from '#web/meanwhile/ChangedMeanwhile.tsx';
import type { Settings } from './page-draft.ts';
import type { Editor } from './use-page-draft.ts';

type Field = `settings.${keyof Settings}` | 'monitors' | 'tags';

const LABELS: Record<Field, `statusPages.${string}`> = {
  'settings.name': 'statusPages.name',
  'settings.slug': 'statusPages.slug',
  'settings.headline': 'statusPages.general.headline',
  'settings.description': 'statusPages.general.description',
  'settings.timezone': 'statusPages.general.zone',
  'settings.headerNav': 'statusPages.links.title',
  'settings.collapsed': 'statusPages.parts.monitors',
  'settings.hidesBrand': 'statusPages.look.hideBrand',
  'settings.autoLinks': 'statusPages.general.autoLink',
  'settings.mode': 'statusPages.who.title',
  'settings.enabled': 'statusPages.who.enabled',
  monitors: 'statusPages.parts.monitors',
  tags: 'statusPages.monitors.tags',
};

/** What somebody else has changed of the page since the reader's changes began. */
export function PageMeanwhile({ editor }: { editor: Editor }) {
  const { t } = useTranslation();
  return (
    <ChangedMeanwhile
      clashes={editor.clashes}
      stopped={editor.stopped}
      labelOf={(path) => t(LABELS[path as Field] as 'statusPages.name')}
      wordsOf={(path, value) =>
        path === 'settings.mode' ? t(`statusPages.access.${value as AccessMode}`) : undefined
      }
      onSettle={editor.settle}
      mb={16}
    />
  );
}
