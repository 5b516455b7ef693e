// The projects and monitors that a key can be limited to, and the names behind their ids.
import { useQueries, useQuery } from '@tanstack/react-query';
import { listMonitors } from '#src/monitors/contract.ts';
import { listProjects } from '#src/projects/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';

export type Narrowable = {
  projects: { id: string; name: string }[];
  monitors: { id: string; name: string; projectName: string }[];
  /** Everything is loaded: an id without a name belongs to something that was deleted. */
  complete: boolean;
};

/** Projects and monitors of an organization; the first 1,000 monitors of each project. */
export function useNarrowable(orgId: string): Narrowable {
  const projects = useQuery(read(listProjects, { params: { org_id: orgId }, query: MAX_PAGE }));
  const list = projects.data ?? [];
  const monitors = useQueries({
    queries: list.map((project) =>
      read(listMonitors, { params: { project_id: project.id }, query: { limit: 1_000 } }),
    ),
  });
  return {
    projects: list.map(({ id, name }) => ({ id, name })),
    monitors: monitors.flatMap((query, index) =>
      (query.data ?? []).map(({ id, name }) => ({ id, name, projectName: list[index]?.name ?? '' })),
    ),
    complete: projects.isSuccess && monitors.every((query) => query.isSuccess),
  };
}
