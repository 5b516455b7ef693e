// `tocsin region list | add | token`: where monitors are checked from.
import { columns, printable } from './columns.ts';
import { OPERATOR, withInstallation } from './open-installation.ts';
import { Refusal } from './platform/refusals.ts';
import { runWork } from './platform/work.ts';
import { listAdministered } from './regions/administered.ts';
import type { AdministeredRegion, RegionCreate } from './regions/contract.ts';
import { createRegion } from './regions/create.ts';
import { createProbeToken, probeCommand } from './regions/tokens.ts';

/** Prints the regions with their probes and tokens; answers the exit code. */
export async function runRegionList(): Promise<number> {
  return withInstallation(async ({ database: { db }, now }) => {
    const regions = await listAdministered(db, now);
    const sections = [
      regions.length === 0
        ? 'There is no region yet: tocsin region add\n'
        : columns([['REGION', 'STATE', 'MONITORS', 'RULES', 'CANARIES', 'NAME'], ...regions.map(regionRow)]),
      ...listed(['PROBE', 'REGION', 'STATE', 'MONITORS', 'LAST SEEN'], regions.flatMap(probeRows)),
      ...listed(['TOKEN', 'REGION', 'ENDS WITH', 'MADE', 'LAST USED'], regions.flatMap(tokenRows)),
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

/** Makes a token and prints how a probe is started with it; answers the exit code. */
export async function runRegionToken(slug: string): Promise<number> {
  return withInstallation(async ({ database: { db }, now, config }) => {
    const made = await runWork(db, now, OPERATOR, (work) => createProbeToken(work, slug)).catch(
      async (error: unknown) => {
        if (!(error instanceof Refusal) || error.code !== 'not_found') throw error;
        const known = (await listAdministered(db, now)).map((region) => region.slug);
        throw new Error(
          `There is no region ${JSON.stringify(slug)}. There is: ${known.join(', ') || 'none'}.`,
        );
      },
    );
    process.stdout.write(
      `${probeCommand(config.baseUrl, made.token)}\n\n` +
        'Run this where the probe is to check from. The token is not shown again; several probes may use the same one.\n',
    );
    return 0;
  });
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
    stateOf(region.online),
    String(region.monitor_count),
    rules.join(', ') || '-',
    region.canaries.join(', ') || '-',
    printable(region.name),
  ];
}

const probeRows = ({ slug, probes }: AdministeredRegion): string[][] =>
  probes.map(({ probe_id, online, monitors, last_seen_at_unix }) => [
    probe_id,
    slug,
    stateOf(online),
    monitors === null ? '-' : String(monitors),
    timeOf(last_seen_at_unix),
  ]);

const tokenRows = ({ slug, probe_tokens }: AdministeredRegion): string[][] =>
  probe_tokens.map(({ id, hint, created_at_unix, last_used_at_unix }) => [
    id,
    slug,
    hint,
    timeOf(created_at_unix),
    last_used_at_unix === null ? 'never' : timeOf(last_used_at_unix),
  ]);

const stateOf = (online: boolean) => (online ? 'online' : 'offline');
const timeOf = (unix: number) => new Date(unix * 1000).toISOString().replace('T', ' ').slice(0, 19);
