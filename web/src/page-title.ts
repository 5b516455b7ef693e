// The document's title and icon: the page, and how many incidents are open, so that a tab in the back still rings.
import { useEffect } from 'react';
import quiet from './theme/favicon.svg';
import ringing from './theme/favicon-ringing.svg';

let page = '';
let open = 0;

function apply(): void {
  document.title = `${open > 0 ? `(${open}) ` : ''}${page === '' ? '' : `${page} · `}Tocsin`;
  const icon = document.getElementById('favicon');
  const wanted = open > 0 ? ringing : quiet;
  if (icon !== null && icon.getAttribute('href') !== wanted) icon.setAttribute('href', wanted);
}

/** Names the page in the document's title. */
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
