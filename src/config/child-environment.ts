// The environment of child processes: none of our variables, unless they need it.

import { join } from 'node:path';
import { hostPortText } from '../platform/host-port.ts';
import type { HostPort } from './parsers.ts';
import type { Environment } from './read-variables.ts';

/** Variables of the system that a child process may need. */
const KEPT_FOR_CHILDREN = [
  'PATH',
  'HOME',
  'LANG',
  'TZ',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/tocsin');

/** For glibc's allocator. A threshold of one's own, the usual one, keeps it from raising it with every large block. */
const GIVES_BACK = { MALLOC_TRIM_THRESHOLD_: '131072', MALLOC_ARENA_MAX: '2' };

/**
 * The environment of a process of Tocsin's own: it finds its very first file compiled too, and so never loads Node's
 * compiler, which takes 13 MiB; and what it frees goes back to the system.
 */
export const ownEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv => ({
  NODE_COMPILE_CACHE: COMPILE_CACHE,
  ...GIVES_BACK,
  ...env,
});

/** The variables of the system that a child process needs, and none of ours. */
export function systemEnvironment(env: Environment = process.env): Record<string, string> {
  return Object.fromEntries(
    KEPT_FOR_CHILDREN.flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * The environment of the probe that this server starts: what a program needs anywhere, the probe's own variables, and
 * none of our secrets.
 */
export function probeEnvironment(
  given: {
    token: string;
    dnsServers: readonly HostPort[];
    rdapBaseUrl: string | null;
    canaries: readonly string[];
    /** Where checks are not let in: the admin API of each edge. */
    offLimits: readonly string[];
  },
  env: Environment = process.env,
): Record<string, string> {
  const servers = given.dnsServers.map(hostPortText);
  return {
    ...systemEnvironment(env),
    TOCSIN_PROBE_TOKEN: given.token,
    CANARIES: given.canaries.length > 0 ? given.canaries.join(',') : 'none',
    ...(servers.length > 0 ? { DNS_SERVERS: servers.join(',') } : {}),
    ...(given.offLimits.length > 0 ? { CADDY_ADMIN_URL: given.offLimits.join(',') } : {}),
    ...(given.rdapBaseUrl === null ? {} : { RDAP_BASE_URL: given.rdapBaseUrl }),
  };
}
