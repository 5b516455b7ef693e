import type { ResourceFilter } from '#src/platform/http/caller.ts';
import { refuse } from '#src/platform/refusals.ts';

/**
 * Refuses the project that a monitor is to be created in or moved to: 400 if it is not one of the organization's (`isThere`
 * false), 403 if a narrowed key does not see it.
 */
export function refuseDestination(projectId: string, isThere: boolean, within: ResourceFilter): void {
  if (!isThere)
    refuse('invalid_request', 'project_id is no project of this organization; choose one of its list.', {
      field: 'project_id',
    });
  if (within !== null && !within.projectIds.includes(projectId))
    refuse('forbidden', 'This key is narrowed, and project_id is not one of its projects.', {
      field: 'project_id',
    });
}
