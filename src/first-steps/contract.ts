// Browser-safe. What an organization lacks until somebody would be notified, and has been (docs/rules/on-call-and-alarms.md#first-steps).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '#src/organizations/contract.ts';
import { operation } from '#src/platform/contract.ts';

/** In the order in which they are taken. */
export const FIRST_STEPS = ['monitor', 'channel', 'person', 'message'] as const;

export const FirstSteps = Type.Object({
  steps: Type.Array(
    Type.Object({
      step: Type.Enum([...FIRST_STEPS], {
        description:
          'monitor: there is one. channel: an incident would reach somebody by more than an open dashboard. person: it would reach a person ' +
          'by mail or push, or a paging target. message: a fire drill or a message to a target has arrived.',
      }),
      done: Type.Boolean(),
    }),
  ),
  done: Type.Boolean(),
  /** The caller does not want to see them. */
  hidden: Type.Boolean(),
});
export type FirstSteps = Static<typeof FirstSteps>;

const Shared = {
  tag: 'Organizations',
  right: 'member',
  resource: 'organization',
  params: OrganizationParams,
} as const;

export const getFirstSteps = operation({
  ...Shared,
  id: 'getFirstSteps',
  method: 'GET',
  path: '/organizations/{org_id}/first-steps',
  summary: 'What an organization lacks until somebody would be notified of an incident, and has been',
  status: 200,
  reply: FirstSteps,
});

export const hideFirstSteps = operation({
  ...Shared,
  id: 'hideFirstSteps',
  viewers: true,
  method: 'POST',
  path: '/organizations/{org_id}/first-steps/hide',
  summary: 'Hide the first steps of an organization from the caller',
  status: 204,
});
