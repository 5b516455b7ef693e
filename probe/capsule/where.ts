import { DATABASE_PORTS } from '#src/monitors/types/database/config.ts';
import { MAIL_PORTS } from '#src/monitors/types/mail/config.ts';
import type { TlsConfig } from '#src/monitors/types/tls/config.ts';
import type { IpFamily } from '#src/platform/outbound/resolve.ts';
import { plainHost } from '../types/host.ts';

/** The target of a monitor's checks, whatever its type. */
export type Where = {
  host: string;
  /** null: the type has none. */
  port: number | null;
  family: IpFamily;
  /** null: it speaks no TLS. */
  tls: { starttls: TlsConfig['starttls']; serverName: string | null; caPem: string | null } | null;
};

type Config = Readonly<Record<string, unknown>>;

const PLAIN = { starttls: 'none', serverName: null, caPem: null } as const;

/** The target of a valid config of a type that probes check. */
export function whereOf(type: string, config: Config): Where {
  const family = (config.ip_family ?? 'auto') as IpFamily;
  const { url, host, domain, port } = config;
  if (typeof url === 'string') {
    const { protocol, hostname, port: given } = new URL(url);
    const secure = protocol === 'https:' || protocol === 'wss:';
    const own = config.tls as { server_name?: string | null; ca_pem?: string | null } | undefined;
    return {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: given === '' ? (secure ? 443 : 80) : Number(given),
      family,
      tls: secure ? { ...PLAIN, serverName: own?.server_name ?? null, caPem: own?.ca_pem ?? null } : null,
    };
  }
  const where = { host: plainHost(String(host ?? domain ?? '')), family };
  const at = (fallback: number | null, tls: Where['tls']): Where => ({
    ...where,
    port: typeof port === 'number' ? port : fallback,
    tls,
  });
  switch (type) {
    case 'tls': {
      const { starttls = 'none', server_name = null } = config as Partial<TlsConfig>;
      return at(443, { ...PLAIN, starttls, serverName: server_name });
    }
    case 'mail': {
      const { protocol, security } = config as { protocol: 'smtp'; security: 'none' | 'starttls' | 'tls' };
      const starttls = security === 'starttls' ? protocol : 'none';
      return at(MAIL_PORTS[protocol][security], security === 'none' ? null : { ...PLAIN, starttls });
    }
    case 'database': {
      const engine = config.engine as keyof typeof DATABASE_PORTS;
      // MySQL asks for TLS in its own protocol, after its greeting.
      const starttls = engine === 'postgres' ? 'postgres' : 'none';
      return at(DATABASE_PORTS[engine], config.tls && engine !== 'mysql' ? { ...PLAIN, starttls } : null);
    }
    default:
      // Only types that may use TLS are connected to; the others have no port.
      return 'tls' in config ? at(null, config.tls ? PLAIN : null) : { ...where, port: null, tls: null };
  }
}
