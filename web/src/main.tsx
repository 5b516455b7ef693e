import '@mantine/core/styles.layer.css';
import '@mantine/notifications/styles.layer.css';
import './theme/fonts.css';
import './theme/tokens.css';
import './theme/base.css';
import './theme/mantine.css';
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { readAgain } from './cached.ts';
import { isUnreachable } from './call.ts';
import { checkConnection, watchConnection } from './connection.ts';
import { startLanguages } from './i18n/languages.ts';
import { noticeMissing } from './missing.ts';
import { wallScheme } from './pages/wall/colour-scheme.ts';
import { queryClient } from './read.ts';
import { router } from './router.tsx';
import { leaveWhenSignedOut } from './session-end.ts';
import { Notes } from './shell/Notes.tsx';
import { bindColours, theme } from './theme/theme.ts';
import { keepDoubleClick } from './ui/double-click.ts';
import { keepFocus } from './ui/keep-focus.ts';

const colorSchemes = localStorageColorSchemeManager({ key: 'tocsin-color-scheme' });

const forced = wallScheme(window.location);

await startLanguages();
leaveWhenSignedOut();
keepFocus();
keepDoubleClick();
noticeMissing();
// Events were missed meanwhile, and failed reads can be read now.
watchConnection(() => {
  void readAgain({});
  void router.invalidate();
});
queryClient.getQueryCache().subscribe(({ query }) => {
  if (query.state.fetchFailureReason !== null && isUnreachable(query.state.fetchFailureReason))
    void checkConnection();
});
createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={bindColours}
      colorSchemeManager={colorSchemes}
      defaultColorScheme="auto"
      {...(forced === null ? {} : { forceColorScheme: forced })}
    >
      <QueryClientProvider client={queryClient}>
        <Notes />
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
