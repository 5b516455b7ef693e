import { type RefObject, useEffect } from 'react';

/**
 * Tells the notes at the lower edge how much of it belongs to a bar, in `--bottom-bar` of the page. Such a bar sticks to the edge
 * and stands higher at the end of its page, so it is measured where it is; in the upper half no note reaches it.
 */
export function useRoomBelow(bar: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = bar.current;
    if (element === null) return;
    const root = document.documentElement;
    const measure = () => {
      const room = innerHeight - element.getBoundingClientRect().top;
      root.style.setProperty('--bottom-bar', `${room < innerHeight / 2 ? Math.max(0, room) : 0}px`);
    };
    // Of the page too: what grows above it moves the bar.
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
