// Browser-safe. What an organization may use (docs/rules/access.md#plans).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { Nullable, operation } from '../platform/contract.ts';

/** Limits and capabilities of a plan; a null limit is none (docs/rules/access.md#plans). */
export const Plan = Type.Object({
  name: Type.String(),
  limits: Type.Object({
    monitors: Nullable(Type.Integer()),
    regions_per_monitor: Nullable(Type.Integer()),
    seats: Nullable(Type.Integer()),
    custom_domains_per_page: Nullable(Type.Integer()),
    min_interval_seconds: Type.Integer(),
    raw_check_retention_days: Nullable(Type.Integer()),
  }),
  capabilities: Type.Object({
    on_call: Type.Boolean(),
    incident_command: Type.Boolean(),
    private_status_pages: Type.Boolean(),
    white_label: Type.Boolean(),
  }),
});
export type Plan = Static<typeof Plan>;

/** The plan of an organization and what of it is used; seats are members plus open invitations. */
export const PlanInUse = Type.Object({
  ...Plan.properties,
  used: Type.Object({ monitors: Type.Integer(), seats: Type.Integer() }),
});
export type PlanInUse = Static<typeof PlanInUse>;

export const getOrganizationPlan = operation({
  id: 'getOrganizationPlan',
  method: 'GET',
  path: '/organizations/{org_id}/plan',
  summary: 'The plan of an organization: its limits, its capabilities and what is used',
  tag: 'Organizations',
  right: 'member',
  resource: 'organization',
  scope: 'organization:read',
  params: OrganizationParams,
  status: 200,
  reply: PlanInUse,
});
