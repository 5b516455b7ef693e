// The document's title and icon: the page and the number of open incidents, so that a background tab shows them. While the
// loud alarm rings, title and alarm alternate every second.
import { useEffect } from 'react';
import { isolated } from '#src/domain/direction.ts';
import quiet from './theme/favicon.svg';
import ringing from './theme/favicon-ringing.svg';

const TURN_MS = 1_000;

let page = '';
let open = 0;
let alarm: string | null = null;
let alarmsTurn = false;

function apply(): void {
  const count = open > 0 ? `(${open}) ` : '';
  const named = `${page === '' ? '' : `${isolated(page)} · `}Tocsin`;
  document.title = `${count}${alarm !== null && alarmsTurn ? alarm : named}`;
  const icon = document.getElementById('favicon');
  const wanted = alarm === null ? open > 0 : alarmsTurn;
  const href = wanted ? ringing : quiet;
  if (icon !== null && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}

/** Sets the page's name in the document title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    page = title;
    apply();
  }, [title]);
}

/** Shows the number of open incidents in title and icon while the caller is on screen. */
export function useOpenIncidentsInTitle(count: number): void {
  useEffect(() => {
    open = count;
    apply();
    return () => {
      open = 0;
      apply();
    };
  }, [count]);
}

/**
 * Shows the alarm in the title, alternating with the page; it does not alternate for readers who prefer reduced motion.
 * Null: no alarm.
 */
export function useAlarmInTitle(text: string | null): void {
  useEffect(() => {
    if (text === null) return;
    alarm = text;
    alarmsTurn = true;
    apply();
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    const timer = still
      ? undefined
      : setInterval(() => {
          alarmsTurn = !alarmsTurn;
          apply();
        }, TURN_MS);
    return () => {
      clearInterval(timer);
      alarm = null;
      alarmsTurn = false;
      apply();
    };
  }, [text]);
}
