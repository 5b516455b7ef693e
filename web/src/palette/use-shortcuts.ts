// The shortcuts of the dashboard, active outside of text fields.
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { type Command, commandOf, type GoPlace } from './keys.ts';
import { mayOpen } from './may-open.ts';
import { areShortcutsOn, currentOverlay, isMac, show } from './overlay.ts';
import { GLOBAL_PLACES, ORGANIZATION_PLACES } from './places.ts';
import type { PaletteContext } from './use-palette-context.ts';

const WRITING =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=""], [contenteditable=true], [role=textbox], [role=combobox], [role=listbox], [role=menu], [role=slider], [role=application]';

/** Fields and menus handle keys themselves, and a dialog is a separate context. */
const isElsewhere = (target: EventTarget | null): boolean =>
  (target instanceof Element && target.closest(WRITING) !== null) ||
  document.querySelector('[aria-modal="true"]') !== null;

const isPaletteKey = (event: KeyboardEvent): boolean =>
  event.key.toLowerCase() === 'k' &&
  (isMac() ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey) &&
  !event.altKey &&
  !event.shiftKey;

/** Listens while the caller is mounted. */
export function useShortcuts(where: PaletteContext): void {
  const navigate = useNavigate();
  const goAt = useRef<number | null>(null);

  function go(name: GoPlace): boolean {
    const own = GLOBAL_PLACES.find((place) => 'go' in place && place.go === name);
    const place = ORGANIZATION_PLACES.find((each) => 'go' in each && each.go === name);
    if (own !== undefined) void navigate({ to: own.to });
    else if (place !== undefined && where.organization !== undefined && mayOpen(place, where))
      void navigate({ to: place.to, params: { orgId: where.organization.id } });
    else return false;
    return true;
  }

  function follow(command: Command): boolean {
    if (command.do === 'go') return go(command.place);
    if (command.do === 'search') return focusOn(document.querySelector('#content input[type=search]'));
    if (command.do === 'help') show('help');
    else return focusOn(rowBeside(command.do === 'next' ? 1 : -1));
    return true;
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented) return;
    if (isPaletteKey(event)) {
      event.preventDefault();
      // An open dialog must be answered first.
      if (currentOverlay() !== null || document.querySelector('[aria-modal="true"]') === null)
        show(currentOverlay() === 'palette' ? null : 'palette');
      return;
    }
    if (isElsewhere(event.target) || !areShortcutsOn()) return;
    const { command, goAt: next } = commandOf(event, goAt.current);
    goAt.current = next;
    if (command !== null && follow(command)) event.preventDefault();
  });

  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

function focusOn(element: Element | null | undefined): boolean {
  if (!(element instanceof HTMLElement)) return false;
  element.focus();
  element.scrollIntoView({ block: 'nearest' });
  return true;
}

/** The next or previous row of the page's list; without a focused row, the first or the last. */
function rowBeside(by: 1 | -1): Element | undefined {
  const rows = [...document.querySelectorAll('#content [data-row]')];
  const at = document.activeElement === null ? -1 : rows.indexOf(document.activeElement);
  if (at === -1) return rows.at(by === 1 ? 0 : -1);
  return rows[at + by] ?? rows[at];
}
