import { useComputedColorScheme } from '@mantine/core';
import { useEffect } from 'react';

/** Adapts the browser's and device's bars to the chosen appearance, which may differ from the device's. */
export function useThemeColour(): void {
  const scheme = useComputedColorScheme();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the scheme decides the background colour
  useEffect(() => {
    const paper = getComputedStyle(document.documentElement).getPropertyValue('--paper').trim();
    for (const meta of document.querySelectorAll('meta[name="theme-color"]'))
      meta.setAttribute('content', paper);
  }, [scheme]);
}
