// All hosts of an organization: the list is paginated, and a host that needs attention may be on the last page.
import { queryOptions } from '@tanstack/react-query';
import { type Agent, type AgentCurve, listAgentCurves, listAgents } from '#src/agents/contract.ts';
import { type ApiError, call } from '#web/call.ts';
import { everyPage } from '#web/every-page.ts';

/** Polling interval in milliseconds: hosts report once a minute, more often while something fails. */
export const HOSTS_POLL_MS = 15_000;

/** Every host of the organization. */
export const hostsOf = (orgId: string) =>
  queryOptions<Agent[], ApiError>({
    queryKey: [listAgents.id, { org_id: orgId }, 'all'],
    queryFn: () =>
      everyPage(
        (query) => call(listAgents, { params: { org_id: orgId }, query }),
        ({ id }) => id,
      ),
  });

/** The last three hours of every host of the organization. */
export const readingsOfHosts = (orgId: string) =>
  queryOptions<AgentCurve[], ApiError>({
    queryKey: [listAgentCurves.id, { org_id: orgId }, 'all'],
    queryFn: () =>
      everyPage(
        (query) => call(listAgentCurves, { params: { org_id: orgId }, query }),
        ({ agent_id }) => agent_id,
      ),
  });
