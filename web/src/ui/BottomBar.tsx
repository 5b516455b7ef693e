import { type ComponentProps, useRef } from 'react';
import { useBottomBarHeight } from './bottom-bar-height.ts';

/** A bar that sticks to the lower edge of the window; notifications stay above it. */
export function BottomBar(props: Omit<ComponentProps<'div'>, 'ref'>) {
  const bar = useRef<HTMLDivElement>(null);
  useBottomBarHeight(bar);
  return <div {...props} ref={bar} />;
}
