// Every monitor of the organization, project by project: what another monitor may be tied to.
import { useQueries } from '@tanstack/react-query';
import { listMonitors, type Monitor } from '#src/monitors/contract.ts';
import { read, WHOLE } from '#web/read.ts';
import { useChosenProject } from '#web/shell/chosen-project.ts';

export type ProjectMonitors = { project: string; monitors: Monitor[] };

/** The monitors of every project, by name; `isPending` until all of them are known. */
export function useOrganizationMonitors(): { projects: ProjectMonitors[]; isPending: boolean } {
  const { projects, query } = useChosenProject();
  const lists = useQueries({
    queries: projects.map(({ id }) => read(listMonitors, { params: { project_id: id }, query: WHOLE })),
  });
  return {
    isPending: query.isPending || lists.some((list) => list.isPending),
    projects: projects.map(({ name }, at) => ({
      project: name,
      monitors: [...(lists[at]?.data ?? [])].sort((a, b) => a.name.localeCompare(b.name)),
    })),
  };
}
