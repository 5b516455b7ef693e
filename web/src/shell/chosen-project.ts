// The current project: from the URL on the list of monitors, or else the last choice, or else the first one.
import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';
import { listProjects, type Project } from '#src/projects/contract.ts';
import { MAX_PAGE, read } from '../read.ts';
import { remember, remembered } from '../remembered.ts';

const readers = new Set<() => void>();

function subscribe(reader: () => void): () => void {
  readers.add(reader);
  return () => readers.delete(reader);
}

/** Stores the project of an organization as the last choice. */
export function chooseProject(orgId: string, projectId: string): void {
  if (remembered(`project-${orgId}`) === projectId) return;
  remember(`project-${orgId}`, projectId);
  for (const reader of readers) reader();
}

/** The organization in the page's URL. */
export function useOrgId(): string {
  return useParams({ from: '/signed-in/o/$orgId' }).orgId;
}

/** The project of the last choice, or else the first one; undefined if there is none. */
export const lastProject = (orgId: string, projects: readonly Project[]): Project | undefined =>
  projects.find(({ id }) => id === remembered(`project-${orgId}`)) ?? projects[0];

/** The projects of the organization and the current one; `project` is undefined while loading or if there is none. */
export function useChosenProject() {
  const orgId = useOrgId();
  const search = useSearch({ strict: false });
  const last = useSyncExternalStore(subscribe, () => remembered(`project-${orgId}`));
  const query = useQuery(read(listProjects, { params: { org_id: orgId }, query: MAX_PAGE }));
  const projects: Project[] = query.data ?? [];
  const byId = (id: string | null | undefined) => projects.find((project) => project.id === id);
  return { query, projects, project: byId(search.project) ?? byId(last) ?? projects[0] };
}
