import { type CheckContext, type Kind, notChecked, type Observation } from './observation.ts';
import { workFor } from './whose.ts';

/** Every kind of check this probe can make; loaded when the first monitor of the kind is checked. */
const KINDS: Readonly<Record<string, () => Promise<Kind<never>>>> = {
  http: () => import('./types/http/check.ts').then((kind) => kind.http),
  tcp: () => import('./types/tcp/check.ts').then((kind) => kind.tcp),
  udp: () => import('./types/udp/check.ts').then((kind) => kind.udp),
  ping: () => import('./types/ping/check.ts').then((kind) => kind.ping),
  dns: () => import('./types/dns/check.ts').then((kind) => kind.dns),
  tls: () => import('./types/tls/check.ts').then((kind) => kind.tls),
  mail: () => import('./types/mail/check.ts').then((kind) => kind.mail),
  websocket: () => import('./types/websocket/check.ts').then((kind) => kind.websocket),
  grpc: () => import('./types/grpc/check.ts').then((kind) => kind.grpc),
  database: () => import('./types/database/check.ts').then((kind) => kind.database),
  domain: () => import('./types/domain/check.ts').then((kind) => kind.domain),
};

/** The monitor types this probe can check. */
export const CHECKED_TYPES: readonly string[] = Object.keys(KINDS);

const loaded = new Map<string, Kind<never>>();

/**
 * Makes one check. The config is the server's, already validated there (docs/rules/monitor-types.md#config); a type this
 * probe does not know is reported as `unknown_type` with `cause_layer: probe`.
 */
export async function check(type: string, config: unknown, context: CheckContext): Promise<Observation> {
  let kind = loaded.get(type);
  if (kind === undefined) {
    const load = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
    if (load === undefined)
      return notChecked('unknown_type', `This probe cannot check monitors of type ${type}: update it`);
    // What a kind costs to load is not the doing of the check that comes first.
    kind = await workFor(undefined, load);
    loaded.set(type, kind);
  }
  return kind(config as never, context);
}
