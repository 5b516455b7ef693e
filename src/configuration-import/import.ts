// Brings the configuration of an export into an organization that there is. It only adds, by the verbs of the interface: what
// one of them refuses, a file cannot bring in.
import { recordActivity } from '../activity/record.ts';
import { lockConfiguration } from '../monitors/lock-configuration.ts';
import { Refusal } from '../platform/refusals.ts';
import { EndedByRefusal } from '../platform/refused-within.ts';
import type { Work } from '../platform/work.ts';
import type { ImportReport } from './contract.ts';
import type { Importing, ImportOptions } from './importing.ts';
import { importSeries, importWindows } from './maintenance.ts';
import { importMonitors, importProjects } from './monitors.ts';
import { importOnCall } from './on-call.ts';
import { importAlarmStandard, importProfiles } from './policy.ts';
import type { Given } from './read-file.ts';
import { importStatusPages } from './status-pages.ts';
import { importTargets } from './targets.ts';

type Run = <T>(act: (work: Work) => Promise<T>) => Promise<T>;
type Asked = { orgId: string; given: Given; options: ImportOptions; preview: boolean };

/** Carries the report of a preview out of its transaction, which is rolled back. */
class Previewed extends Error {
  readonly report: ImportReport;
  constructor(report: ImportReport) {
    super('only a preview');
    this.report = report;
  }
}

/** One transaction, or with `preview` none: then the same work is done, reported, and rolled back. */
export async function importConfiguration(run: Run, asked: Asked): Promise<ImportReport> {
  try {
    return await run(async (work) => {
      const report = await bringIn(work, asked);
      if (asked.preview) throw new Previewed(report);
      return report;
    });
  } catch (error) {
    if (error instanceof Previewed) return error.report;
    const isDuplicate = (error as { code?: string }).code === '23505';
    // A statement failed that a name was checked for before: somebody else gave that name in between.
    if (error instanceof EndedByRefusal || isDuplicate)
      throw new Refusal(
        'name_taken',
        'Somebody made something of the same name at the same moment. Nothing was imported; try again.',
        {},
        409,
      );
    throw error;
  }
}

async function bringIn(work: Work, { orgId, given, options, preview }: Asked): Promise<ImportReport> {
  const { tx } = work;
  await lockConfiguration(tx, orgId);
  const importing: Importing = {
    ...{ work, orgId, options, given: given.of, things: [] },
    ...{ profiles: new Map(), projects: new Map(), monitors: new Map(), made: new Set() },
    hadMonitors: await hasMonitors(work, orgId),
  };

  await importAlarmStandard(importing);
  await importProfiles(importing);
  await importProjects(importing);
  await importMonitors(importing);
  await importTargets(importing);
  await importSeries(importing);
  await importWindows(importing);
  await importOnCall(importing);
  await importStatusPages(importing);

  const { things } = importing;
  const { name } = await tx
    .selectFrom('organizations')
    .select('name')
    .where('id', '=', orgId)
    .executeTakeFirstOrThrow();
  const made = Object.groupBy(
    things.filter(({ outcome }) => outcome === 'made'),
    ({ kind }) => kind,
  );
  await recordActivity(work, {
    orgId,
    action: 'organization.import_configuration',
    resource: { kind: 'organization', id: orgId, name },
    after: {
      from: given.from,
      made: Object.fromEntries(Object.entries(made).map(([kind, of]) => [kind, of.length])),
    },
  });
  return {
    preview,
    from: given.from,
    things,
    left_out: [...given.leftOut].map(([kind, count]) => ({ kind, count })),
  };
}

async function hasMonitors({ tx }: Work, orgId: string): Promise<boolean> {
  const own = tx.selectFrom('monitors').select('id').where('org_id', '=', orgId);
  return (await own.where('example', '=', false).limit(1).executeTakeFirst()) !== undefined;
}
