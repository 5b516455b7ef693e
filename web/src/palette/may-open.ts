// Who is offered a place, and the keys that lead to it. Pure.
import { GO_KEYS } from './keys.ts';
import type { PaletteContext } from './use-palette-context.ts';

type Place = {
  text: string;
  go?: string;
  acted?: boolean;
  managed?: boolean;
  administered?: boolean;
  operated?: boolean;
};

/** The keys that lead to a page, "g" first. */
export function keysOf(place: Place): string[] | undefined {
  const key = Object.entries(GO_KEYS).find(([, name]) => name === place.go)?.[0];
  return key === undefined ? undefined : ['g', key];
}

/** Whether a person is offered a page. */
export function mayOpen(place: Place, where: PaletteContext): boolean {
  if (place.acted && !where.mayAct) return false;
  if (place.managed && !where.mayManage) return false;
  if (place.administered && !where.mayAdminister) return false;
  return !place.operated || where.isOperator;
}
