// Proposes monitors for an address: runs checks from a probe, step by step, each chosen by the results so far.
import { readPastedAddress } from '#src/domain/pasted-address.ts';
import { targetSentence } from '#src/domain/target.ts';
import type { BodyOf } from '#src/platform/contract.ts';
import type { ResourceFilter } from '#src/platform/http/caller.ts';
import { Refusal, refuse } from '#src/platform/refusals.ts';
import type { Database } from '#src/platform/work.ts';
import type { Shown } from '../private-values.ts';
import type { ValidTest } from '../validate.ts';
import * as checks from './checks.ts';
import type { MonitorProposals, proposeMonitors } from './contract.ts';
import { existingMonitors, targetKey } from './existing.ts';

/** Most checks of one proposal; each counts as a test. */
export const MAX_PROPOSAL_CHECKS = 10;
const MAX_CONCURRENT = 4;
const MAX_MAIL_SERVERS = 2;

export type ProposeOptions = {
  db: Database;
  orgId: string;
  within: ResourceFilter;
  /** Refuses like a test. */
  admit: (type: string, config: object, region: string | null) => Promise<ValidTest>;
  /** Refuses an organization that tests too often. */
  begin: () => Promise<void>;
  run: (admitted: ValidTest) => Promise<Shown | null>;
  /** Refuses: no probe has answered. */
  noAnswer: (region: string, withinMs: number) => never;
};

type Found = { check: checks.Check; seen: Shown };

/** Proposes monitors for an address. Refuses an invalid address, and a region that cannot check it. */
export async function propose(
  { address, region: slug = null }: BodyOf<typeof proposeMonitors>,
  { db, orgId, within, admit, begin, run, noAnswer }: ProposeOptions,
): Promise<MonitorProposals> {
  // The region decides which names are valid targets: the first check refuses any other.
  const read = readPastedAddress(address, { allowSingleLabel: true });
  if (!read.ok)
    refuse('invalid_target', targetSentence('address', read.reason, ['http', 'https']), {
      field: 'address',
      reason: read.reason,
    });
  const [first] = checks.pageChecks(read) as [checks.Check];
  const { region } = await admit(first.type, first.config, slug).catch(atAddress);
  await begin();

  let underWay = 0;
  let left = MAX_PROPOSAL_CHECKS;
  let answered = false;
  const waiting: (() => void)[] = [];
  /** null: the check was not run, or gave no result. */
  async function tryCheck(wanted: checks.Check): Promise<Found | null> {
    if (left === 0) return null;
    left -= 1;
    if (underWay >= MAX_CONCURRENT) await new Promise<void>((resume) => waiting.push(resume));
    underWay += 1;
    try {
      const config = { ...wanted.config, timeout_ms: wanted.timeoutMs };
      const seen = await run(await admit(wanted.type, config, region.slug));
      answered ||= seen !== null;
      return seen && { check: wanted, seen };
    } catch (error) {
      // A mail server's name, for instance, may be none that is watched.
      if (error instanceof Refusal) return null;
      throw error;
    } finally {
      underWay -= 1;
      waiting.shift()?.();
    }
  }

  const { host, port, isIp } = read;
  const named = !isIp && host.includes('.');
  const page = pageAt(checks.pageChecks(read), tryCheck);
  const domain = named ? tryCheck(checks.domainCheck(host)) : null;
  const isPlain = /^http:/i.test(read.url ?? '');
  const found = await Promise.all([
    port === null || read.url !== null
      ? page
      : page.then((web) => portAt(web, checks.tcpCheck(host, port), tryCheck)),
    isPlain ? null : tryCheck(checks.tlsCheck(read)).then(ifMeasured),
    domain?.then((each) => registration(each)) ?? null,
    named ? addressesOf(host, tryCheck) : null,
    ...(named ? [mailOf(host, domain, tryCheck)] : []),
  ]);
  if (!answered) noAnswer(region.slug, checks.WAIT_MS);

  const kept = found.flat().filter((each) => each !== null);
  const proposed = kept.map(({ check, seen }) => ({ seen, ...checks.monitorOf(check, seen) }));
  const existing = await existingMonitors(db, orgId, within, proposed);
  return {
    host,
    region: region.slug,
    proposals: proposed.map(({ seen, ...monitor }) => ({
      monitor: { ...monitor, regions: [region.slug] },
      seen,
      recommended: checks.hasAnswered(seen),
      existing_monitor_id: existing.get(targetKey(monitor)) ?? null,
    })),
  };
}

type TryCheck = (check: checks.Check) => Promise<Found | null>;
const ifThere = (found: Found | null): Found | null => (found && checks.isThere(found.seen) ? found : null);

/** A certificate that is over is one to watch. */
const ifMeasured = (found: Found | null): Found | null =>
  found?.seen.metric_value === undefined ? null : found;

/** Of a port: the page that answers there, or else the port itself. */
async function portAt(page: Found | null, port: checks.Check, tryCheck: TryCheck): Promise<Found | null> {
  if (page && checks.hasAnswered(page.seen)) return page;
  return ifThere(await tryCheck(port)) ?? page;
}

/** The first page that answers as it should; else the first, so that what is down now can be watched as well. */
async function pageAt(wanted: readonly checks.Check[], tryCheck: TryCheck): Promise<Found | null> {
  let first: Found | null = null;
  for (const each of wanted) {
    const found = await tryCheck(each);
    if (found && checks.isThere(found.seen)) return found;
    // One that answers badly says more than one that is not there.
    if (first === null || (found?.seen.response_code !== undefined && first.seen.response_code === undefined))
      first = found ?? first;
  }
  return first;
}

/** Under the name that is registered: of all hosts of a domain there is one such monitor. */
function registration(found: Found | null): Found | null {
  const name = checks.registeredName(found?.seen ?? null);
  if (!found || name === undefined || found.seen.cause_layer === 'probe') return null;
  return { ...found, check: checks.domainCheck(name) };
}

async function addressesOf(host: string, tryCheck: TryCheck): Promise<Found | null> {
  return (
    ifThere(await tryCheck(checks.dnsCheck(host, 'A'))) ??
    ifThere(await tryCheck(checks.dnsCheck(host, 'AAAA')))
  );
}

/** Mail of the host itself, or else of the domain that it belongs to. */
async function mailOf(
  host: string,
  domain: Promise<Found | null> | null,
  tryCheck: TryCheck,
): Promise<(Found | null)[]> {
  let records = ifThere(await tryCheck(checks.dnsCheck(host, 'MX')));
  if (records === null) {
    const name = checks.registeredName((await domain)?.seen ?? null);
    if (name !== undefined && name !== host) records = ifThere(await tryCheck(checks.dnsCheck(name, 'MX')));
  }
  const servers = checks
    .mailServers(checks.recordsIn(records?.seen ?? null, 'MX'))
    .slice(0, MAX_MAIL_SERVERS);
  const wanted = servers.flatMap((server, i) => checks.mailChecks(server, i === 0));
  return [records, ...(await Promise.all(wanted.map(tryCheck))).map(ifThere)];
}

/** A refusal of the first check is one of the address. */
function atAddress(error: unknown): never {
  if (error instanceof Refusal && error.details.field?.startsWith('config'))
    throw new Refusal(error.code, error.message.replace(/^config\.\w+/, 'address'), {
      ...error.details,
      field: 'address',
    });
  throw error;
}
