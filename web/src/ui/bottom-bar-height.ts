import { type RefObject, useEffect } from 'react';

/**
 * Publishes in `--bottom-bar` how much of the lower edge a bar covers, so that notifications stay above it. The bar sticks
 * to the edge but rests higher at the end of its page, so its position is measured; in the upper half it cannot collide.
 */
export function useBottomBarHeight(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current;
    if (element === null) return;
    const root = document.documentElement;
    const measure = () => {
      const room = innerHeight - element.getBoundingClientRect().top;
      root.style.setProperty('--bottom-bar', `${room < innerHeight / 2 ? Math.max(0, room) : 0}px`);
    };
    // Observe the page too: growing content above the bar moves it.
    const observer = new ResizeObserver(measure);
    for (const each of [element, document.body]) observer.observe(each);
    addEventListener('scroll', measure, { passive: true });
    addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      removeEventListener('scroll', measure);
      removeEventListener('resize', measure);
      root.style.removeProperty('--bottom-bar');
    };
  }, [bar]);
}
