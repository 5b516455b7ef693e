// Browser-safe. What of a host or URL is worth a monitor, looked at now (docs/rules/monitor-types.md#proposals).
import { type Static, Type } from 'typebox';
import { MonitorCreate } from '#src/monitors/contract.ts';
import { closed, Nullable, operation } from '#src/platform/contract.ts';
import { ProjectParams } from '#src/projects/contract.ts';
import { MonitorTestReport } from '../contract.ts';

export const ProposedMonitor = Type.Object({
  monitor: MonitorCreate,
  seen: Type.Omit(MonitorTestReport, ['region', 'probe_id'], {
    description: 'what a check with this config saw a moment ago',
  }),
  recommended: Type.Boolean({ description: 'false: what was looked at did not answer as it should' }),
  existing_monitor_id: Nullable(
    Type.String({ description: 'a monitor of the organization that checks the same already' }),
  ),
});
export type ProposedMonitor = Static<typeof ProposedMonitor>;

export const MonitorProposals = Type.Object({
  host: Type.String(),
  region: Type.String(),
  proposals: Type.Array(ProposedMonitor),
});
export type MonitorProposals = Static<typeof MonitorProposals>;

export const proposeMonitors = operation({
  id: 'proposeMonitors',
  method: 'POST',
  path: '/projects/{project_id}/monitor-proposals',
  summary: 'Look at a host or URL from one region, and propose monitors for what is there; nothing is stored',
  tag: 'Monitors',
  right: 'project_management',
  resource: 'project',
  scope: 'monitors:write',
  params: ProjectParams,
  body: Type.Object(
    {
      address: Type.String({ maxLength: 8192, description: 'a URL, a host, or host:port' }),
      /** Slug; null: the default region. */
      region: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
    },
    closed,
  ),
  status: 200,
  reply: MonitorProposals,
  refusals: [503],
});
