// Plans are data (docs/rules/access.md#plans): what an organization's plan allows.
import type { Selectable } from 'kysely';
import type { DB } from '../platform/db/tables.ts';
import { notFound } from '../platform/refusals.ts';
import type { Database, Tx } from '../platform/work.ts';
import type { Plan } from './contract.ts';

/** null is "no limit". */
export type PlanLimits = {
  monitors: number | null;
  regionsPerMonitor: number | null;
  /** Members and open invitations together. */
  seats: number | null;
  customDomainsPerPage: number | null;
  minIntervalSeconds: number;
  rawCheckRetentionDays: number | null;
};

type PlanRow = Selectable<DB['plans']>;

/** Limits of the organization's plan; 404 when it was deleted meanwhile. */
export async function planLimits(db: Database | Tx, orgId: string): Promise<PlanLimits> {
  const row = await planRow(db, orgId);
  return {
    monitors: row.monitors,
    regionsPerMonitor: row.regions_per_monitor,
    seats: row.seats,
    customDomainsPerPage: row.custom_domains_per_page,
    minIntervalSeconds: row.min_interval_seconds,
    rawCheckRetentionDays: row.raw_check_retention_days,
  };
}

/** The organization's plan as the API shows it; 404 when there is no such organization. */
export async function planOf(db: Database | Tx, orgId: string): Promise<Plan> {
  return showPlan(await planRow(db, orgId));
}

/** All plans of the installation, the smallest first. */
export async function listPlans(db: Database | Tx): Promise<Plan[]> {
  const rows = await db
    .selectFrom('plans')
    .selectAll()
    .orderBy('monitors', (order) => order.asc().nullsLast())
    .orderBy('name')
    .execute();
  return rows.map(showPlan);
}

async function planRow(db: Database | Tx, orgId: string): Promise<PlanRow> {
  const row = await db
    .selectFrom('organizations')
    .innerJoin('plans', 'plans.name', 'organizations.plan')
    .selectAll('plans')
    .where('organizations.id', '=', orgId)
    .executeTakeFirst();
  return row ?? notFound('organization');
}

function showPlan(row: PlanRow): Plan {
  return {
    name: row.name,
    limits: {
      monitors: row.monitors,
      regions_per_monitor: row.regions_per_monitor,
      seats: row.seats,
      custom_domains_per_page: row.custom_domains_per_page,
      min_interval_seconds: row.min_interval_seconds,
      raw_check_retention_days: row.raw_check_retention_days,
    },
    capabilities: {
      on_call: row.on_call,
      incident_command: row.incident_command,
      private_status_pages: row.private_status_pages,
      white_label: row.white_label,
    },
  };
}
