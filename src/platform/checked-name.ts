import { visibleName } from '../domain/visible-name.ts';
import { refuse } from './refusals.ts';

/** The name without blanks around it; refuses with `empty_name` one of which nothing can be seen. */
export function checkedName(name: string): string {
  const visible = visibleName(name);
  if (visible === '') refuse('empty_name', 'name must not be empty.', { field: 'name' });
  return visible;
}
