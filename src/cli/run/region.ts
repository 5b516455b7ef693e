// `tocsin region list | add | token | admit | refuse | remove`: where monitors are checked from.

import { Refusal } from '#src/platform/refusals.ts';
import { type Database, runWork } from '#src/platform/work.ts';
import { listAdministered } from '#src/regions/administered.ts';
import { removeProbe, setAdmission } from '#src/regions/admission.ts';
import type { AdministeredRegion, RegionCreate } from '#src/regions/contract.ts';
import { createRegion } from '#src/regions/create.ts';
import { createProbeToken, probeCommand, revokeProbeToken, USUAL_PROBES } from '#src/regions/tokens.ts';
import { columns, printable } from '../columns.ts';
import { OPERATOR, withInstallation } from '../open-installation.ts';

/** Prints the regions with their probes and tokens; answers the exit code. */
export async function runRegionList(): Promise<number> {
  return withInstallation(async ({ database: { db }, now }) => {
    const regions = await listAdministered(db, now);
    const sections = [
      regions.length === 0
        ? 'There is no region yet: tocsin region add\n'
        : columns([['REGION', 'STATE', 'MONITORS', 'RULES', 'CANARIES', 'NAME'], ...regions.map(regionRow)]),
      ...listed(['PROBE', 'REGION', 'STATE', 'MONITORS', 'LAST SEEN'], regions.flatMap(probeRows)),
      ...listed(['TOKEN', 'REGION', 'ENDS WITH', 'PROBES', 'MADE', 'LAST USED'], regions.flatMap(tokenRows)),
    ];
    process.stdout.write(sections.join('\n'));
    return 0;
  });
}

/** Adds a region; answers the exit code. */
export async function runRegionAdd(region: RegionCreate): Promise<number> {
  return withInstallation(async ({ database: { db }, now, config }) => {
    const options = { allowSingleLabel: config.allowSingleLabelHosts };
    await runWork(db, now, OPERATOR, (work) => createRegion(work, region, options));
    process.stdout.write(
      `The region ${region.slug} is there. It checks as soon as it has a probe: tocsin region token ${region.slug}\n`,
    );
    return 0;
  });
}

/**
 * Makes a token that lets in `probes` probes, and prints how one is started with it; with `rotate` the bundled probe is
 * given another one instead. Answers the exit code.
 */
export async function runRegionToken(
  slug: string,
  { probes, rotate }: { probes: string | null; rotate: boolean },
): Promise<number> {
  const most = probes === null ? USUAL_PROBES : Number(probes);
  if (!Number.isInteger(most) || most < 1 || most > 1000)
    throw new Error(`--probes ${probes} is not a number from 1 to 1000.`);
  return withInstallation(async ({ database: { db }, now, config }) => {
    if (rotate) {
      const [region] = await listAdministered(db, now, slug);
      const bundled = region?.probe_tokens.find((token) => token.bundled);
      if (!bundled)
        throw new Error(
          `The bundled probe has no token in the region ${JSON.stringify(slug)}; it checks for "local". Other tokens are revoked in the dashboard, and made anew with: tocsin region token SLUG`,
        );
      await runWork(db, now, OPERATOR, (work) => revokeProbeToken(work, slug, bundled.id));
      process.stdout.write(
        'The token of the bundled probe is void. A server that runs starts its probe with the next one at once, another one when it starts.\n',
      );
      return 0;
    }
    const made = await runWork(db, now, OPERATOR, (work) => createProbeToken(work, slug, most)).catch(
      (error: unknown) => naming(db, now, slug, error),
    );
    process.stdout.write(
      `${probeCommand(config.baseUrl, made.token)}\n\n` +
        `Run this where the probe is to check from. The token is not shown again. It lets in the first ${most === 1 ? 'probe' : `${most} probes`} that\n` +
        `come with it; further ones wait until you admit them: tocsin region admit ${slug} PROBE (tocsin region list shows them).\n`,
    );
    return 0;
  });
}

/** Admits a probe that waits, shuts one out, or forgets it; answers the exit code. */
export async function runRegionProbe(
  act: 'admit' | 'refuse' | 'remove',
  slug: string,
  probeId: string,
): Promise<number> {
  return withInstallation(async ({ database: { db }, now }) => {
    await runWork(db, now, OPERATOR, (work) =>
      act === 'remove'
        ? removeProbe(work, slug, probeId)
        : setAdmission(work, slug, probeId, act === 'admit' ? 'admitted' : 'refused'),
    ).catch((error: unknown) => naming(db, now, slug, error, probeId));
    const done = { admit: 'admitted', refuse: 'refused', remove: 'forgotten' }[act];
    process.stdout.write(`The probe ${probeId} of the region ${slug} is ${done}.\n`);
    return 0;
  });
}

/** Throws the error, or what there is in place of what was not found. */
async function naming(
  db: Database,
  now: Date,
  slug: string,
  error: unknown,
  probeId?: string,
): Promise<never> {
  if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
  const regions = await listAdministered(db, now);
  const region = regions.find((each) => each.slug === slug);
  const there = (list: string[]) => list.join(', ') || 'none';
  throw new Error(
    region
      ? `There is no probe ${JSON.stringify(probeId)} in the region ${slug}. There is: ${there(region.probes.map(({ probe_id }) => probe_id))}.`
      : `There is no region ${JSON.stringify(slug)}. There is: ${there(regions.map((each) => each.slug))}.`,
  );
}

const listed = (heading: string[], rows: string[][]): string[] =>
  rows.length > 0 ? [columns([heading, ...rows])] : [];

function regionRow(region: AdministeredRegion): string[] {
  const rules = [
    ...(region.internal ? ['internal'] : []),
    ...(region.allow_private_targets ? ['private targets'] : []),
  ];
  return [
    region.slug,
    region.online ? 'online' : region.probes.some(({ stalled }) => stalled) ? 'no results' : 'offline',
    String(region.monitor_count),
    rules.join(', ') || '-',
    region.canaries.join(', ') || '-',
    printable(region.name),
  ];
}

const probeRows = ({ slug, probes }: AdministeredRegion): string[][] =>
  probes.map(({ probe_id, online, admission, stalled, monitors, last_seen_at_unix }) => [
    probe_id,
    slug,
    admission !== 'admitted' ? admission : online && stalled ? 'no results' : stateOf(online),
    monitors === null ? '-' : String(monitors),
    timeOf(last_seen_at_unix),
  ]);

const tokenRows = ({ slug, probe_tokens }: AdministeredRegion): string[][] =>
  probe_tokens.map(({ id, hint, max_probes, bundled, created_at_unix, last_used_at_unix }) => [
    id,
    slug,
    hint,
    bundled ? 'bundled' : max_probes === null ? 'any' : String(max_probes),
    timeOf(created_at_unix),
    last_used_at_unix === null ? 'never' : timeOf(last_used_at_unix),
  ]);

const stateOf = (online: boolean) => (online ? 'online' : 'offline');
const timeOf = (unix: number) => new Date(unix * 1000).toISOString().replace('T', ' ').slice(0, 19);
