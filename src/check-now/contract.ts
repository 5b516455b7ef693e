// Browser-safe. Checks a target once, now (docs/rules/monitor-types.md#test-now).
import { type Static, Type } from 'typebox';
import { closed, LARGE_BODY_LIMIT, Nullable, operation } from '../platform/contract.ts';
import { Judgement, Observed } from '../probe-protocol/contract.ts';
import { ProjectParams } from '../projects/contract.ts';

export const MonitorTest = Type.Object(
  {
    type: Type.String({ maxLength: 64 }),
    config: Type.Object({}, { additionalProperties: true }),
    /** Slug; null: the default region. */
    region: Type.Optional(Nullable(Type.String({ maxLength: 64 }))),
    /** The monitor that owns the masked secrets in `config`. */
    monitor_id: Type.Optional(Nullable(Type.String({ maxLength: 200 }))),
  },
  closed,
);
export type MonitorTest = Static<typeof MonitorTest>;

export const MonitorTestReport = Type.Object({
  region: Type.String(),
  probe_id: Type.String(),
  ...Observed.properties,
  judgements: Type.Array(Judgement),
  values_withheld: Type.Boolean({
    description:
      'additive: the target is in a private network that several organizations reach; its response is hidden, and `actual` is empty',
  }),
});
export type MonitorTestReport = Static<typeof MonitorTestReport>;

export const testMonitor = operation({
  id: 'testMonitor',
  bodyLimit: LARGE_BODY_LIMIT,
  method: 'POST',
  path: '/projects/{project_id}/monitor-tests',
  summary: 'Check a target once, now, from one region; nothing is stored and nobody is notified',
  tag: 'Monitors',
  right: 'project_management',
  resource: 'project',
  scope: 'monitors:write',
  params: ProjectParams,
  body: MonitorTest,
  status: 200,
  reply: MonitorTestReport,
  refusals: [503],
});
