import { Suspense } from 'react';
import { page } from '../page-code.ts';
import { inNote, useWrite } from '../use-write.ts';
import { useOpenOverlay } from './overlay.ts';
import { usePaletteContext } from './use-palette-context.ts';
import { useShortcuts } from './use-shortcuts.ts';

const Palette = page(() => import('./Palette.tsx'));
const Help = page(() => import('./Help.tsx'));

/** The palette and the help of the shortcuts, for signed-in people; loaded when first opened. */
export function Palettes() {
  const shown = useOpenOverlay();
  const write = useWrite({ show: inNote });
  useShortcuts(usePaletteContext());
  return (
    <Suspense fallback={null}>
      {shown === 'palette' ? <Palette write={write} /> : null}
      {shown === 'help' ? <Help /> : null}
    </Suspense>
  );
}
