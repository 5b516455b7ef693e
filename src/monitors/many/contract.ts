// Browser-safe. Creates many monitors at once (docs/rules/monitor-types.md#many-at-once).
import { type Static, Type } from 'typebox';
import { closed, LARGE_BODY_LIMIT, Nullable, operation } from '#src/platform/contract.ts';
import { ProjectParams } from '#src/projects/contract.ts';
import { MonitorCreate } from '../contract.ts';

/** The most monitors that one request creates: each takes a few milliseconds, and other creations of the organization wait. */
export const MAX_CREATED = 100;

export const NewMonitors = Type.Object(
  {
    monitors: Type.Array(MonitorCreate, { minItems: 1, maxItems: MAX_CREATED }),
    preview: Type.Optional(
      Type.Boolean({
        description: 'true: only say what each would be, or why it is refused; nothing is created',
      }),
    ),
    preview_after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 100_000,
        description:
          'of a longer preview: as if so many had been created before; they count against the plan',
      }),
    ),
  },
  closed,
);
export type NewMonitors = Static<typeof NewMonitors>;

export const CreatedMonitor = Type.Object({
  monitor_id: Nullable(Type.String({ description: 'null: refused, or only previewed' })),
  name: Type.String({ description: 'as given; with a number appended if it is in use' }),
  /** The refusal; null if it was created, or would be. */
  refusal: Nullable(
    Type.Object({ error: Type.String(), message: Type.String(), field: Type.Optional(Type.String()) }),
  ),
});
export type CreatedMonitor = Static<typeof CreatedMonitor>;

export const createMonitors = operation({
  id: 'createMonitors',
  bodyLimit: LARGE_BODY_LIMIT,
  method: 'POST',
  path: '/projects/{project_id}/monitors/bulk',
  summary: 'Create many monitors in one transaction; each has an answer of its own, in the order asked',
  tag: 'Monitors',
  right: 'project_management',
  resource: 'project',
  scope: 'monitors:write',
  params: ProjectParams,
  body: NewMonitors,
  status: 200,
  reply: Type.Array(CreatedMonitor),
});
