// The chain of an organization's activity log: what is hashed, and what a walk along it finds. Pure but for the salts.
import { createHash, randomBytes } from 'node:crypto';

/** Replaces the name of a deleted person. */
export const FORGOTTEN = 'Deleted user';

/** An entry as it is stored; times as they are read, JSON as it is parsed. */
export type Entry = {
  id: string;
  at: Date | string;
  actor_kind: string;
  actor_id: string | null;
  actor_name: string | null;
  action: string;
  resource_kind: string;
  resource_id: string;
  resource_name: string | null;
  address: string | null;
  before: unknown;
  after: unknown;
};

export type Links = {
  chain_no: number;
  chain_hash: Buffer;
  actor_salt: Buffer | null;
  actor_digest: Buffer;
  subject_salt: Buffer | null;
  /** null: the entry is about nobody in person. */
  subject_digest: Buffer | null;
};

export type ChainedEntry = Entry & { [K in keyof Links]: Links[K] | null };

/** Where a chain, or the part of it that is kept, begins or ends. */
export type ChainEnd = { no: number; hash: Buffer };

/** Entries about a person: their names in it go with the person. */
const PERSONAL = ['member', 'account', 'invitation'];
const NAMES = ['name', 'email'];

/** The entry's links behind `end`, with new salts. */
export function linkTo(end: ChainEnd, entry: Entry): Links {
  const [actor_salt, subject_salt] = [randomBytes(16), isPersonal(entry) ? randomBytes(16) : null];
  const digests = {
    actor_digest: digest([hex(actor_salt), ...actorOf(entry)]),
    subject_digest: subject_salt && digest([hex(subject_salt), ...subjectOf(entry)]),
  };
  const chain_no = end.no + 1;
  return {
    chain_no,
    actor_salt,
    subject_salt,
    ...digests,
    chain_hash: digest(coreOf(end.hash, chain_no, entry, digests)),
  };
}

/** Whether an entry says what it said when it was written behind an entry with one of these hashes. */
export function holds(entry: ChainedEntry, links: Links, before: readonly Buffer[]): boolean {
  const { actor_salt, subject_salt, actor_digest, subject_digest, chain_no, chain_hash } = links;
  const actorHolds = actor_salt
    ? digest([hex(actor_salt), ...actorOf(entry)]).equals(actor_digest)
    : entry.actor_name === FORGOTTEN && entry.address === null;
  if (!actorHolds || isPersonal(entry) !== (subject_digest !== null)) return false;
  if (subject_digest) {
    const subjectHolds = subject_salt
      ? digest([hex(subject_salt), ...subjectOf(entry)]).equals(subject_digest)
      : entry.resource_name === FORGOTTEN;
    if (!subjectHolds) return false;
  }
  return before.some((hash) =>
    digest(coreOf(hash, chain_no, entry, { actor_digest, subject_digest })).equals(chain_hash),
  );
}

const isPersonal = ({ resource_kind }: Entry) => PERSONAL.includes(resource_kind);
const actorOf = ({ actor_name, address }: Entry) => [actor_name, address];
const subjectOf = ({ resource_name, before, after }: Entry) => [
  resource_name,
  namesIn(before),
  namesIn(after),
];

function coreOf(
  previous: Buffer,
  no: number,
  entry: Entry,
  digests: { actor_digest: Buffer; subject_digest: Buffer | null },
): unknown[] {
  const personal = isPersonal(entry);
  const part = (value: unknown) => (personal ? withoutNames(value) : value);
  return [
    hex(previous),
    no,
    entry.id,
    new Date(entry.at).toISOString(),
    entry.actor_kind,
    entry.actor_id,
    entry.action,
    entry.resource_kind,
    entry.resource_id,
    personal ? null : entry.resource_name,
    part(entry.before),
    part(entry.after),
    hex(digests.actor_digest),
    digests.subject_digest && hex(digests.subject_digest),
  ];
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const pick = (value: unknown, keep: (key: string) => boolean) =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => keep(key))) : value;
const withoutNames = (value: unknown) => pick(value, (key) => !NAMES.includes(key));
const namesIn = (value: unknown) => (isObject(value) ? pick(value, (key) => NAMES.includes(key)) : null);

const digest = (parts: unknown[]) => createHash('sha256').update(canonical(parts)).digest();
const hex = (bytes: Buffer) => bytes.toString('hex');

/** One text for one value, whatever order its keys came in; what JSON leaves out is left out. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, each) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}
