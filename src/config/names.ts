// The names of our environment variables, and the near misses of them.
import { lettersApart } from '../domain/nearest.ts';

/** Every variable the server reads (docs/rules/command-line.md#variables). */
export const VARIABLES = [
  'PORT',
  'HOST',
  'BASE_URL',
  'DATA_DIR',
  'DATABASE_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'BACKUP_PASSPHRASE',
  'ADMIN_EMAIL',
  'ADMIN_PASSWORD',
  'ADMIN_ORGANIZATION',
  'SIGNUP',
  'DEFAULT_PLAN',
  'ORGANIZATIONS_PER_USER',
  'LOCAL_PROBE',
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_NAME',
  'SMTP_URL',
  'MAIL_FROM',
  'EDGE',
  'EDGE_DOMAIN',
  'CADDY_ADMIN_URL',
  'DNS_SERVERS',
  'RDAP_BASE_URL',
  'ALLOW_PRIVATE_TARGETS',
  'ALLOW_PRIVATE_WEBHOOKS',
  'ALLOW_TEST_DOMAINS',
  'ALLOW_SINGLE_LABEL_HOSTS',
  'CHAT_WEBHOOK_HOSTS',
  'PAGERDUTY_URL',
  'PAGERDUTY_EU_URL',
  'OPSGENIE_URL',
  'OPSGENIE_EU_URL',
  'TRUST_PROXY',
  'LOG_LEVEL',
  'METRICS_TOKEN',
  'RATE_LIMITS',
] as const;
export type Variable = (typeof VARIABLES)[number];

/** The secrets: each may come as NAME_FILE, the path of a file that holds it. */
export const SECRETS: readonly Variable[] = [
  'DATABASE_URL',
  'SECRET_KEY',
  'SECRET_KEY_PREVIOUS',
  'BACKUP_PASSPHRASE',
  'ADMIN_PASSWORD',
  'OIDC_CLIENT_SECRET',
  'SMTP_URL',
  'METRICS_TOKEN',
];

const KNOWN = new Set<string>([...VARIABLES, ...SECRETS.map((name) => `${name}_FILE`)]);
/** Short names are near to too many words of other programs (HOSTS, POST, EDGES) to be guessed at. */
const SHORTEST_GUESSED = 6;
/** Names with our prefix that other parts use. */
const OTHER_PARTS = new Set([
  'TOCSIN_PROBE_TOKEN', // tocsin probe
  'TOCSIN_PROBE_TOKEN_FILE',
  'TOCSIN_URL', // development server of the dashboard
  'TOCSIN_TEST_CLUSTER', // tests
]);

/**
 * One sentence for each variable that looks like a misspelt one of ours: one letter off a known name, with our name
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
    const near = [...KNOWN].find(
      (known) => known.length >= SHORTEST_GUESSED && lettersApart(upper, known) <= 1,
    );
    if (near) return [`${name} is not a variable of Tocsin; did you mean ${near}?`];
    const notASecret = upper.replace(/_FILE$/, '');
    if (notASecret !== upper && KNOWN.has(notASecret)) {
      return [`${name} is not a variable of Tocsin: ${notASecret} is no secret and is given directly.`];
    }
    return [];
  });
}

/** What Kubernetes puts into every container for a service that happens to be called tocsin: TOCSIN_PORT=tcp://… */
const KUBERNETES_LINK = /_SERVICE_(HOST|PORT)(_|$)|^TOCSIN_PORT(_|$)/;
