import { Switch } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { enableShortcuts, useShortcutsOn } from './overlay.ts';

/** Turns single-key shortcuts on or off in this browser. */
export function ShortcutsSwitch() {
  const { t } = useTranslation();
  return (
    <Switch
      label={t('shortcuts.switch')}
      description={t('shortcuts.switchHint')}
      checked={useShortcutsOn()}
      onChange={(event) => enableShortcuts(event.currentTarget.checked)}
    />
  );
}
