// A walk along the chain of an organization's activity log: says of each break where it is and of what kind.
import { type ChainEnd, type ChainedEntry, holds, type Links } from './chain.ts';

export type ChainBreak = {
  /** `changed`: it does not say what it said. `missing`: entries are gone. `inserted`: it was never written by Tocsin. */
  kind: 'changed' | 'missing' | 'inserted';
  /** A sentence that names the entry. */
  said: string;
};

export type ChainWalk = {
  /** Entries in the order of `chain_no`, those without one first. */
  take: (entry: ChainedEntry) => ChainBreak[];
  /** After the last entry. */
  end: (head: ChainEnd) => ChainBreak[];
};

/** Starts behind the last entry that was dropped; `unchained`: how many there may be from before there was a chain. */
export function walkChain(dropped: ChainEnd, unchained: number): ChainWalk {
  let last = dropped.no;
  /** The hashes that the next entry may follow; null after a gap: any. Several after a break, so that it is reported once. */
  let before: Buffer[] | null = [dropped.hash];
  let loose = 0;

  return {
    take(entry) {
      const links = linksOf(entry);
      if (!links) {
        loose += 1;
        return loose > unchained ? [inserted(entry, 'has no place in the chain')] : [];
      }
      if (links.chain_no <= last) return [inserted(entry, `has number ${links.chain_no}, which is taken`)];
      const breaks = links.chain_no > last + 1 ? [missing(last + 1, links.chain_no - 1)] : [];
      if (breaks.length > 0) before = null;
      const isWhole = before === null || holds(entry, links, before);
      if (!isWhole)
        breaks.push({
          kind: 'changed',
          said: `entry ${entry.id} (number ${links.chain_no}, ${entry.action}) was changed`,
        });
      before = isWhole ? [links.chain_hash] : [links.chain_hash, ...(before ?? [])].slice(0, 3);
      last = links.chain_no;
      return breaks;
    },
    end(head) {
      if (head.no > last) return [missing(last + 1, head.no)];
      if (head.no < last)
        return [
          { kind: 'inserted', said: `entries ${head.no + 1} to ${last} stand behind the end of the chain` },
        ];
      if (before === null || before.some((hash) => hash.equals(head.hash))) return [];
      return [{ kind: 'changed', said: `the end of the chain is not the hash of entry number ${last}` }];
    },
  };
}

function linksOf(entry: ChainedEntry): Links | null {
  const { chain_no, chain_hash, actor_salt, actor_digest, subject_salt, subject_digest } = entry;
  if (chain_no === null || !chain_hash || !actor_digest) return null;
  return { chain_no: Number(chain_no), chain_hash, actor_salt, actor_digest, subject_salt, subject_digest };
}

const inserted = (entry: ChainedEntry, why: string): ChainBreak => ({
  kind: 'inserted',
  said: `entry ${entry.id} (${entry.action}) was put in: it ${why}`,
});

const missing = (from: number, to: number): ChainBreak => ({
  kind: 'missing',
  said: from === to ? `entry number ${from} is missing` : `entries number ${from} to ${to} are missing`,
});
