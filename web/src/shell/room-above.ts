import { type RefObject, useEffect } from 'react';

/** Tells what sticks to the top how high a bar above it is, in a property of the page, while the bar is there. */
export function useRoomAbove(bar: RefObject<HTMLElement | null>, property: `--${string}`): void {
  useEffect(() => {
    const element = bar.current;
    if (element === null) return;
    const root = document.documentElement;
    const observer = new ResizeObserver(() => root.style.setProperty(property, `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      root.style.removeProperty(property);
    };
  }, [bar, property]);
}
