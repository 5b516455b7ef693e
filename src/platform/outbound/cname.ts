import { codeOf } from './failures.ts';
import { openQueries } from './machine-servers.ts';

/**
 * The state of a domain in DNS. `isFormer`: the record leads through the label of its target below another name, so it was right until
 * the targets were moved. `unknown`: no reliable result, such as no answer.
 */
export type CnameResult =
  | { kind: 'points_here' }
  | { kind: 'points_elsewhere'; to: string; isFormer?: true }
  | { kind: 'no_record' }
  | { kind: 'unknown'; why: string };

/** c-ares doubles the wait per try, so a dead name server costs 9 s. */
const TRY_MS = 3_000;
const TRIES = 2;
/** A record may point at a name that has a record itself. */
const MAX_HOPS = 8;
/** No further hop after this time: slow name servers of one domain must not delay the lookups of all others. */
const NO_HOP_AFTER_MS = 9_000;

export type CnameLookUp = {
  /** The state of a domain in DNS now. Never rejects. */
  (domain: string, target: string): Promise<CnameResult>;
  /** Cancels the queries in progress, which would keep a stopping process alive for seconds. */
  cancel: () => void;
};

/** Looks up CNAME records. `servers` in the form of DNS_SERVERS, `address` or `address:port`; empty: the machine's own. */
export function makeCnameLookUp(servers: readonly string[]): CnameLookUp {
  const queries = openQueries({ timeout: TRY_MS, tries: TRIES }, servers);

  const lookUp = async (domain: string, target: string): Promise<CnameResult> => {
    const startedAtMs = performance.now();
    const label = `${target.split('.')[0]}.`;
    let name = domain;
    let former: { isFormer?: true } = {};
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      if (performance.now() - startedAtMs > NO_HOP_AFTER_MS)
        return { kind: 'unknown', why: whyUnknown('ETIMEOUT') };
      let next: string | undefined;
      try {
        [next] = await queries.now().resolveCname(name);
      } catch (error) {
        const code = codeOf(error);
        const isDenied = code === 'ENOTFOUND' || code === 'ENODATA';
        // The end of a chain that does not lead to us.
        if (isDenied && hop > 0) return { kind: 'points_elsewhere', to: name, ...former };
        return isDenied ? { kind: 'no_record' } : { kind: 'unknown', why: whyUnknown(code) };
      }
      if (next === undefined)
        return hop > 0 ? { kind: 'points_elsewhere', to: name, ...former } : { kind: 'no_record' };
      name = next.toLowerCase().replace(/\.$/, '');
      if (name === target) return { kind: 'points_here' };
      if (name.startsWith(label)) former = { isFormer: true };
    }
    return { kind: 'points_elsewhere', to: name, ...former };
  };
  return Object.assign(lookUp, { cancel: queries.cancel });
}

function whyUnknown(code: string): string {
  switch (code) {
    case 'ETIMEOUT':
    case 'ECANCELLED':
      return 'the name servers did not answer in time';
    case 'ESERVFAIL':
      return 'its name servers failed (SERVFAIL)';
    case 'EREFUSED':
      return 'the name server refused to answer (REFUSED)';
    case 'ECONNREFUSED':
      return 'no name server could be reached';
    default:
      return code === '' ? 'an unknown error' : code;
  }
}
