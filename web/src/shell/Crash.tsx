import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { usePageTitle } from '../page-title.ts';
import { Empty } from '../ui/Empty.tsx';

/** Shown for a page that failed to render: the rest of the dashboard stays usable. */
export function Crash() {
  const { t } = useTranslation();
  usePageTitle(t('ui.crashTitle'));
  return (
    <Empty isPage title={t('ui.crashTitle')} text={t('ui.crashText')}>
      <Button variant="default" onClick={() => window.location.reload()}>
        {t('ui.reload')}
      </Button>
    </Empty>
  );
}
