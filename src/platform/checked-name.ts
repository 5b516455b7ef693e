import { visibleName } from '../domain/visible-name.ts';
import { refuse } from './refusals.ts';

/** The trimmed name; refuses a name without visible characters with `empty_name`. */
export function checkedName(name: string): string {
  const visible = visibleName(name);
  if (visible === '') refuse('empty_name', 'name must not be empty.', { field: 'name' });
  return visible;
}
