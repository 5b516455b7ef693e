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

/** What is gone cannot be named, and who left is no member: the rules refuse it. */
export function mayRefuse(acts: readonly Act[], refusals: readonly string[]): string[] {
  const left = acts.some((act) => act.do === 'person');
  // A renamed project keeps the slug that the one of the file would get.
  const renamed = acts.some((act) => act.do === 'rename' && act.what === 'project');
  const made = acts.some((act) => act.do === 'target' || act.do === 'rename' || act.do === 'delete');
  const deleted = acts.some((act) => act.do === 'delete');
  return refusals.filter((each) =>
    /gives the slug|Its project was refused|, which was refused/.test(each)
      ? !renamed
      : /no member of the organization/.test(each)
        ? !left
        : /needs? (a |an |its )?(url|key|credential|address)|may both be|credential|secret|••••|url/.test(
              each,
            )
          ? !made
          : // What its plan no longer includes is kept, and cannot be made anew.
            !(deleted && /plan does not include/.test(each)),
  );
}
