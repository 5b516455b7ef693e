import { Box, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { LoudAlarmSwitch } from '#web/alarm/LoudAlarmSwitch.tsx';
import { PushSwitch } from '#web/alarm/PushSwitch.tsx';
import { Panel } from '#web/ui/Panel.tsx';

/** How this browser alerts the reader. */
export function ThisBrowserPanel() {
  const { t } = useTranslation();
  return (
    <Panel title={t('onCall.browser.title')} lead="this-browser">
      <Stack gap={18}>
        <LoudAlarmSwitch />
        <PushSwitch />
        <Box fz="var(--text-m)">
          <Link to="/account" hash="push">
            {t('onCall.browser.all')}
          </Link>
        </Box>
      </Stack>
    </Panel>
  );
}
