// Which refusals are no finding.
import type { Act } from './walk.ts';

/** What a random act may run into. Anything else is a mistake of the walk, or of the product. */
export const USUAL = new Set([
  ...[
    'name_taken',
    'slug_taken',
    'project_not_empty',
    'alert_profile_in_use',
    'empty_slug',
    'plan_capability',
  ],
  ...['plan_limit', 'plan_monitors', 'interval_too_short', 'too_many_regions', 'dependency_cycle', 'cycle'],
]);
/** Random changes of what there is may ask for what it cannot have. */
export const BOLD = new Set<Act['do']>(['change', 'rename', 'move', 'delete', 'incident', 'person', 'plan']);
