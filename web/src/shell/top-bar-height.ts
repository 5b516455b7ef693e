import { type RefObject, useEffect } from 'react';

/** Publishes the height of a bar at the top as a CSS property, for sticky elements below it. */
export function useTopBarHeight(bar: RefObject<HTMLElement | null>, property: `--${string}`): void {
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
