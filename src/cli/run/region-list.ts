// `tocsin region list`: the regions that monitors are checked from.
import { listAdministered } from '#src/regions/administered.ts';
import type { AdministeredRegion } from '#src/regions/contract.ts';
import { columns, printable } from '../columns.ts';
import { withInstallation } from '../open-installation.ts';

/** Prints the regions with their probes and tokens; returns the exit code. */
export async function run(): Promise<number> {
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
