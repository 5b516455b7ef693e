import { createAlertProfile, putAlarmStandard } from '../alarm-policy/contract.ts';
import { createMonitor } from '../monitors/contract.ts';
import { createWebhook } from '../notifications/contract.ts';
import { putOnCallSettings } from '../on-call/contract.ts';
import type { Operation } from '../platform/contract.ts';
import { hasRight } from '../platform/http/authorize.ts';
import { type Call, type Route, raw, read } from '../platform/http/route.ts';
import { makeSlots } from '../platform/http/slots.ts';
import { Refusal, type RefusalCode, refuse } from '../platform/refusals.ts';
import type { Database } from '../platform/work.ts';
import { createProject } from '../projects/contract.ts';
import { createStatusPage } from '../status-pages/contract.ts';
import { applyConfiguration } from './apply.ts';
import type { ApplyOptions } from './applying.ts';
import * as contract from './contract.ts';
import { describeConfiguration, SECTIONS, type Section } from './describe.ts';
import { refusedThings } from './refused-things.ts';

/** Each holds a connection for as long as it compares and writes the monitors of a file. */
const MAX_AT_ONCE = 4;

/** Of stored monitors, in one request: results of their checks wait while it is written, and with them those of others. */
export const MAX_CHANGES = 200;

/** The operations whose right each section needs: a file can do nothing that its sender could not do without it. */
const NEEDED: Readonly<Record<Section, readonly Operation[]>> = {
  alarm_standard: [putAlarmStandard],
  alert_profiles: [createAlertProfile],
  projects: [createProject, createMonitor],
  webhooks: [createWebhook],
  on_call: [putOnCallSettings],
  status_pages: [createStatusPage],
};

export function applyRoutes(options: ApplyOptions): Route[] {
  const slots = makeSlots(MAX_AT_ONCE);
  const route = raw(contract.applyConfiguration, async (call) => {
    const { resource, query, body, tenant, work } = call;
    const { dry_run: dryRun = false, prune = false } = query;
    const { orgId } = resource;
    const release = slots.take(
      tenant?.owner ?? orgId,
      'Another configuration file is being applied; wait until it is finished, and try again.',
    );
    try {
      refuseSections(call, body);
      await refuseOther(call.db, orgId, body.organization);
      const things = await applyConfiguration(work, {
        ...{ orgId, file: body, options, dryRun, prune, mostChanges: MAX_CHANGES },
      });
      if (!dryRun) refuseAll(things);
      return { dry_run: dryRun, things } satisfies contract.ApplyReport;
    } finally {
      release();
    }
  });
  return [
    { ...route, held: false },
    read(contract.getConfiguration, async ({ db, resource: { orgId }, now, caller, role }) => {
      const sections = SECTIONS.filter((section) => lacking(section, { caller, role }) === undefined);
      return {
        organization: await slugOf(db, orgId),
        ...(await describeConfiguration({ db, orgId, now }, sections)),
      };
    }),
  ];
}

type Sender = Pick<Call<unknown>, 'caller' | 'role'>;

/** The first operation that the sender of a section needs and may not call. */
const lacking = (section: Section, sender: Sender) =>
  NEEDED[section].find((operation) => !hasRight(operation, sender));

function refuseSections({ caller, role }: Sender, file: contract.ConfigurationFile): void {
  for (const section of SECTIONS.filter((section) => Object.hasOwn(file, section))) {
    const needed = lacking(section, { caller, role });
    if (needed)
      refuse(
        'forbidden',
        caller?.kind === 'key'
          ? `The section ${section} needs the scope ${needed.scope}, which this key lacks.`
          : `Your role (${role}) may not write the section ${section}.`,
        { field: section },
      );
  }
}

/** The path says which organization it is; a file that names one must mean the same. */
async function refuseOther(db: Database, orgId: string, named: string | undefined): Promise<void> {
  if (named === undefined || named === orgId) return;
  const slug = await slugOf(db, orgId);
  if (named !== slug)
    refuse('invalid_request', `organization is ${JSON.stringify(named)}, and the path names ${slug}.`, {
      field: 'organization',
    });
}

async function slugOf(db: Database, orgId: string): Promise<string> {
  const organization = db.selectFrom('organizations').select('slug').where('id', '=', orgId);
  return (await organization.executeTakeFirstOrThrow()).slug;
}

/** Nothing was written: the answer is the first refusal. */
function refuseAll(things: readonly contract.AppliedThing[]): void {
  const [first, ...others] = refusedThings(things);
  if (!first?.refusal) return;
  const { kind, name, refusal } = first;
  const more = others.length > 0 ? ` (${others.length} more; dry_run=true lists them all)` : '';
  throw new Refusal(
    refusal.error as RefusalCode,
    `Nothing was changed${more}. ${kind}${name === null ? '' : ` ${name}`}: ${refusal.message}`,
    refusal.field ? { field: refusal.field } : {},
  );
}
