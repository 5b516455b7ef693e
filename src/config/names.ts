// Near misses of the names of our variables.
import { distance } from '../domain/nearest.ts';
import { VARIABLES } from './variables.ts';

const KNOWN = new Set(
  Object.values(VARIABLES).flatMap(({ name, secret }) => (secret ? [name, `${name}_FILE`] : [name])),
);
/** Names with our prefix that other parts use. */
const OTHER_PARTS = new Set([
  'TOCSIN_PROBE_TOKEN', // tocsin probe
  'TOCSIN_PROBE_TOKEN_FILE',
  'TOCSIN_URL', // tocsin agent, and the development server of the dashboard
  'TOCSIN_TOKEN', // tocsin agent
  'TOCSIN_API_KEY', // tocsin apply
  'TOCSIN_TEST_CLUSTER', // tests
]);

/**
 * One sentence for each variable that looks like a misspelt one of ours: one slip from a known name, with our name
 * before it, or NAME_FILE of what is no secret. Everything else in the environment is none of our business.
 */
export function misspelt(names: readonly string[]): string[] {
  return names.flatMap((name) => {
    const upper = name.toUpperCase();
    if (KNOWN.has(name) || OTHER_PARTS.has(name) || KUBERNETES_LINK.test(name)) return [];
    const bare = upper.replace(/^TOCSIN_/, '');
    if (bare !== upper) {
      const meant = KNOWN.has(bare) ? `; it is called ${bare}` : '';
      return [`${name} is not a variable of Tocsin${meant}.`];
    }
    const near = [...KNOWN].find((known) => distance(upper, known) <= 1);
    if (near) return [`${name} is not a variable of Tocsin and has no effect; did you mean ${near}?`];
    const notASecret = upper.replace(/_FILE$/, '');
    if (notASecret !== upper && KNOWN.has(notASecret)) {
      return [`${name} is not a variable of Tocsin: ${notASecret} is no secret and is given directly.`];
    }
    return [];
  });
}

/** A variable that Kubernetes puts into every container for a service that happens to be called tocsin: TOCSIN_PORT=tcp://… */
const KUBERNETES_LINK = /_SERVICE_(HOST|PORT)(_|$)|^TOCSIN_PORT(_|$)/;
