import { MantineThemeProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { useTranslation } from 'react-i18next';

/** The notifications at the edge of the page, with a labelled close button. */
export function Notes() {
  const { t } = useTranslation();
  const closeButtonProps = { 'aria-label': t('ui.close') };
  return (
    <MantineThemeProvider theme={{ components: { Notification: { defaultProps: { closeButtonProps } } } }}>
      <Notifications position="bottom-right" limit={4} />
    </MantineThemeProvider>
  );
}
