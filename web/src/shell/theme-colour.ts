import { useComputedColorScheme } from '@mantine/core';
import { useEffect } from 'react';

/** Has the bars of browser and device follow the chosen appearance, which may be another than the device's own. */
export function useThemeColour(): void {
  const scheme = useComputedColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme decides which colour the paper has
  useEffect(() => {
    const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.setAttribute('content', paper);
  }, [scheme]);
}
