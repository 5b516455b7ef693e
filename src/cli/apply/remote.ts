// Applies a configuration file at a server elsewhere, with an API key.
import type { Static } from 'typebox';
import {
  type ApplyReport,
  applyConfiguration,
  type ConfigurationFile,
  getConfiguration,
} from '#src/configuration-apply/contract.ts';
import { refusedThings } from '#src/configuration-apply/refused-things.ts';
import { listMyOrganizations } from '#src/organizations/contract.ts';
import type { ErrorBody, Operation } from '#src/platform/contract.ts';
import { OutboundFailure } from '#src/platform/outbound/failures.ts';
import { request } from '#src/platform/outbound/request.ts';
import type { NamedOrganization } from '../find-organization.ts';
import { type Applied, type Asked, differentOrganizations } from './asked.ts';

/** Its key stands for one organization; both may be named, and then must be the same. */
export type Server = { url: string; key: string };

/** A file with thousands of monitors takes seconds. */
const WITHIN_MS = 120_000;
const MAX_REPLY_BYTES = 16 * 1024 * 1024;

/**
 * Applies the file. A dry run comes first: the answer of a refused request names one refusal, that of a dry run all. Throws a
 * sentence if the server cannot be reached or does not accept the key.
 */
export async function applyRemotely(
  file: ConfigurationFile,
  { organization, dryRun, prune }: Asked,
  server: Server,
): Promise<Applied> {
  const { organization: inFile, ...sections } = file;
  const place = await organizationOf(server, inFile, organization);
  const apply = async (query: string) => {
    const path = applyConfiguration.path.replace('{org_id}', place.id);
    const { things } = (await call(server, applyConfiguration, `${path}?${query}`, sections)) as ApplyReport;
    return things;
  };
  const tried = await apply(`dry_run=true&prune=${prune}`);
  const isRefused = refusedThings(tried).length > 0;
  return { place, things: dryRun || isRefused ? tried : await apply(`prune=${prune}`) };
}

/** The organization of the key as a file: the sections that the key may write. */
export async function describeRemotely(
  organization: string | undefined,
  server: Server,
): Promise<ConfigurationFile> {
  const { id } = await organizationOf(server, undefined, organization);
  const path = getConfiguration.path.replace('{org_id}', id);
  return (await call(server, getConfiguration, path)) as ConfigurationFile;
}

/** The organization of the key, which must be the one that the file and the option name. */
async function organizationOf(
  server: Server,
  inFile: string | undefined,
  option: string | undefined,
): Promise<NamedOrganization> {
  const organizations = await call(server, listMyOrganizations, listMyOrganizations.path);
  if (!areOrganizations(organizations)) throw notTocsin(server.url, 200);
  const [own] = organizations;
  if (!own) throw new Error(`${server.url}: the key belongs to no organization.`);
  const isOwn = (name: string) => name === own.id || name === own.slug;
  const asNamed = (name: string) => ({ id: name, name, slug: name });
  if (option !== undefined && inFile !== undefined && isOwn(option) !== isOwn(inFile))
    throw differentOrganizations(asNamed(option), asNamed(inFile));
  for (const name of [inFile, option])
    if (name !== undefined && !isOwn(name))
      throw new Error(`The key in TOCSIN_API_KEY is for the organization ${own.slug}, not for ${name}.`);
  return own;
}

/** One request to the server. Throws its refusal, or why there is no answer, as a sentence. */
async function call(
  { url, key }: Server,
  { method }: Pick<Operation, 'method'>,
  path: string,
  body?: object,
): Promise<unknown> {
  const answer = await request({
    ...{
      url: new URL(path.slice(1), url.endsWith('/') ? url : `${url}/`).href,
      method: method as 'GET' | 'POST',
    },
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'user-agent': 'Tocsin' },
    ...(body ? { body: Buffer.from(JSON.stringify(body)) } : {}),
    // The person who runs the command has named this server: it may be in their own network.
    ...{ policy: { allowPrivate: true }, timeoutMs: WITHIN_MS, maxReplyBytes: MAX_REPLY_BYTES },
  }).catch((error: unknown) => {
    if (error instanceof OutboundFailure)
      throw new Error(`${url} does not answer: ${error.message}.`, { cause: error });
    throw error;
  });
  const reply = parsed(answer.bodyText);
  if (answer.status === 200 && reply !== null) return reply;
  const { error, message } = (reply ?? {}) as Partial<Static<typeof ErrorBody>>;
  if (error === 'unauthenticated') throw new Error(`${url} does not accept the key in TOCSIN_API_KEY.`);
  throw message === undefined ? notTocsin(url, answer.status) : new Error(`${url}: ${message}`);
}

const notTocsin = (url: string, status: number) =>
  new Error(`${url} answered with status ${status}, and not as a Tocsin server does.`);

/** Anything may answer with JSON; this is asked first. */
const areOrganizations = (reply: unknown): reply is NamedOrganization[] =>
  Array.isArray(reply) && reply.every((each) => typeof Object(each).id === 'string');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
