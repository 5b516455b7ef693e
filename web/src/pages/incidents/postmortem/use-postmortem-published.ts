import { useQuery } from '@tanstack/react-query';
import { listIncidentTimeline } from '#src/incidents/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';

/** Whether the post-mortem is published: before, there may be none to fetch. */
export function usePostmortemPublished(params: { org_id: string; incident_id: string }): boolean {
  const timeline = useQuery(read(listIncidentTimeline, { params, query: MAX_PAGE }));
  return timeline.data?.some(({ kind }) => kind === 'postmortem_published') ?? false;
}
