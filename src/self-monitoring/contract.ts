// Browser-safe. What Tocsin itself cannot see or do (docs/rules/regions-and-probes.md#troubles).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { Nullable, operation, UnixSeconds } from '../platform/contract.ts';

export const Trouble = Type.Object({
  kind: Type.Enum(['region_offline', 'probe_lagging', 'queue_lagging', 'disk_full', 'edge_failing']),
  subject: Type.String({
    description: 'slug of a region, region/probe, name of a queue, or address of an edge',
  }),
  began_at_unix: UnixSeconds(),
  title: Type.String({ description: 'what is wrong, in English' }),
  sentence: Type.String({ description: 'what it means and what to do, in English' }),
  name: Type.Optional(Type.String({ description: 'name of the region' })),
  probe: Type.Optional(Type.String()),
  reason: Type.Optional(
    Type.String({ description: 'of a probe: busy, no_results; of an edge: away, refuses' }),
  ),
  count: Type.Optional(Type.Integer({ description: 'monitors of the region, or entries of the queue' })),
});
export type Trouble = Static<typeof Trouble>;

export const listTroubles = operation({
  id: 'listTroubles',
  method: 'GET',
  path: '/admin/troubles',
  summary: 'What is wrong with the installation itself now: regions, probes, queues, disk, edges',
  tag: 'Operator',
  right: 'operator',
  resource: 'none',
  status: 200,
  reply: Type.Array(Trouble),
});

export const BlindSpots = Type.Object({
  total: Type.Integer({ description: 'monitors that have been without data for 5 minutes, or 3 intervals' }),
  since_unix: Nullable(UnixSeconds({ description: 'of the one without data for longest' })),
  monitors: Type.Array(
    Type.Object({
      monitor_id: Type.String(),
      name: Type.String(),
      project_id: Type.String(),
      no_data_since_unix: UnixSeconds(),
      cannot_check: Nullable(Type.String()),
    }),
    { description: 'the first 20' },
  ),
});
export type BlindSpots = Static<typeof BlindSpots>;

export const getBlindSpots = operation({
  id: 'getBlindSpots',
  method: 'GET',
  path: '/organizations/{org_id}/blind-spots',
  summary: 'Monitors of the organization that nobody knows the state of',
  tag: 'Monitors',
  right: 'member',
  resource: 'organization',
  scope: 'monitors:read',
  params: OrganizationParams,
  status: 200,
  reply: BlindSpots,
});
