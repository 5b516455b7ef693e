// Browser-safe. The example outage (docs/rules/on-call-and-alarms.md#example-outage).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '#src/organizations/contract.ts';
import { Nullable, operation, UnixSeconds } from '#src/platform/contract.ts';
import { ProjectParams } from '#src/projects/contract.ts';

/** The stages of an example, in order. */
export const EXAMPLE_STAGES = [
  'first_check',
  'failing',
  'confirming',
  'open',
  'acknowledged',
  'recovering',
  'resolved',
  'over',
] as const;
export type ExampleStage = (typeof EXAMPLE_STAGES)[number];

/** Why an example cannot be started. */
export const EXAMPLE_OBSTACLES = ['running', 'often', 'elsewhere', 'region', 'probe', 'private'] as const;
export type ExampleObstacle = (typeof EXAMPLE_OBSTACLES)[number];

export const ExampleOutage = Type.Object({
  monitor_id: Type.String(),
  project_id: Type.String(),
  incident_id: Nullable(Type.String()),
  stage: Type.Enum([...EXAMPLE_STAGES], {
    description:
      'first_check: it is up and has no result yet. failing: the target is broken, no check has seen it. confirming: a check failed. ' +
      'open, acknowledged: its incident is. recovering: the target works again. resolved: the incident is closed. over: it never opened one.',
  }),
  /** Failed checks in a row, and the number that opens the incident; null before the first. */
  confirming: Nullable(Type.Object({ failures: Type.Integer(), required: Type.Integer() })),
  interval_seconds: Type.Integer(),
  started_at_unix: UnixSeconds(),
  /** Null: the account was deleted. */
  started_by_name: Nullable(Type.String()),
  /** Whether it rings for the caller. */
  mine: Type.Boolean(),
  heals_at_unix: UnixSeconds({
    description: 'when the target works again; sooner once the incident is acknowledged',
  }),
  ends_at_unix: UnixSeconds({ description: 'when the target is gone and its monitor paused' }),
  removed_at_unix: UnixSeconds({
    description: 'when the monitor is deleted, with its incident and its post-mortem',
  }),
});
export type ExampleOutage = Static<typeof ExampleOutage>;

const Shared = { tag: 'Monitors' } as const;

export const getExample = operation({
  ...Shared,
  id: 'getExampleOutage',
  method: 'GET',
  path: '/organizations/{org_id}/example-outage',
  summary: 'The example outage of an organization, and whether one can be started',
  right: 'member',
  resource: 'organization',
  params: OrganizationParams,
  status: 200,
  reply: Type.Object({
    /** Null: one can be started. */
    obstacle: Type.Union([Type.Enum([...EXAMPLE_OBSTACLES]), Type.Null()], {
      description:
        'null: one can be started. running: there is one. often: too many within a day. elsewhere: this server has no bundled probe beside it. ' +
        'region: the region local is internal. probe: it has no probe online. private: it does not reach this server at a private address.',
    }),
    example: Nullable(ExampleOutage),
  }),
});

export const startExample = operation({
  ...Shared,
  id: 'startExampleOutage',
  method: 'POST',
  path: '/projects/{project_id}/example-outage',
  summary: 'Start an example outage: a monitor whose target breaks once; its alarm rings only for the caller',
  right: 'project_management',
  resource: 'project',
  params: ProjectParams,
  status: 201,
  refusals: [402, 409, 429],
  reply: ExampleOutage,
});

export const removeExample = operation({
  ...Shared,
  id: 'removeExampleOutage',
  method: 'DELETE',
  path: '/organizations/{org_id}/example-outage',
  summary: 'Delete the monitor of the example outage, with its incident; without one this changes nothing',
  right: 'project_management',
  resource: 'organization',
  params: OrganizationParams,
  status: 204,
});
