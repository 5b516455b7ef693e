// Every monitor of the organization by project: candidates for dependencies and groups.
import { queryOptions, useQueries } from '@tanstack/react-query';
import { listMonitors, type Monitor } from '#src/monitors/contract.ts';
import { type ApiError, call } from '#web/call.ts';
import { everyPage } from '#web/every-page.ts';
import { useChosenProject } from '#web/shell/chosen-project.ts';

/** `project` is its name, which another may have, too; `heading` tells those apart. */
export type ProjectMonitors = { projectId: string; project: string; heading: string; monitors: Monitor[] };

/** Every monitor of a project; the live stream finds it by the first element of its key, as every list of monitors. */
const monitorsOf = (projectId: string) =>
  queryOptions<Monitor[], ApiError>({
    queryKey: [listMonitors.id, { project_id: projectId }, 'all'],
    queryFn: () =>
      everyPage(
        (query) => call(listMonitors, { params: { project_id: projectId }, query }),
        ({ id }) => id,
      ),
  });

/** The monitors of every project, by name; `isPending` until all are loaded. */
export function useOrganizationMonitors(): { projects: ProjectMonitors[]; isPending: boolean } {
  const { projects, query } = useChosenProject();
  const lists = useQueries({
    queries: projects.map(({ id }) => monitorsOf(id)),
  });
  return {
    isPending: query.isPending || lists.some((list) => list.isPending),
    projects: projects.map(({ id, name, slug }, at) => ({
      projectId: id,
      project: name,
      heading: projects.some((other) => other.id !== id && other.name === name) ? `${name} (${slug})` : name,
      monitors: [...(lists[at]?.data ?? [])].sort((a, b) => a.name.localeCompare(b.name)),
    })),
  };
}
