import type { MonitorType, RegionlessMonitorType } from '../src/domain/names.ts';
import { workFor } from './check-at-work.ts';
import { type Check, type CheckContext, type CheckOutcome, notChecked } from './check-outcome.ts';

/** The check of each type; loaded with the first monitor of the type. */
const CHECKS: Readonly<Record<Exclude<MonitorType, RegionlessMonitorType>, () => Promise<Check<never>>>> = {
  http: () => import('./types/http/check.ts').then((type) => type.http),
  tcp: () => import('./types/tcp/check.ts').then((type) => type.tcp),
  udp: () => import('./types/udp/check.ts').then((type) => type.udp),
  ping: () => import('./types/ping/check.ts').then((type) => type.ping),
  dns: () => import('./types/dns/check.ts').then((type) => type.dns),
  tls: () => import('./types/tls/check.ts').then((type) => type.tls),
  mail: () => import('./types/mail/check.ts').then((type) => type.mail),
  websocket: () => import('./types/websocket/check.ts').then((type) => type.websocket),
  grpc: () => import('./types/grpc/check.ts').then((type) => type.grpc),
  database: () => import('./types/database/check.ts').then((type) => type.database),
  domain: () => import('./types/domain/check.ts').then((type) => type.domain),
};

/** The monitor types this probe can check. */
export const CHECKED_TYPES: readonly string[] = Object.keys(CHECKS);

const loaded = new Map<string, Check<never>>();

/**
 * Runs one check. The server has validated the config (docs/rules/monitor-types.md#config). A type that this probe does not
 * know is reported as `unknown_type` with `cause_layer: probe`.
 */
export async function check(type: string, config: unknown, context: CheckContext): Promise<CheckOutcome> {
  let run = loaded.get(type);
  if (run === undefined) {
    const load = Object.hasOwn(CHECKS, type) ? CHECKS[type as keyof typeof CHECKS] : undefined;
    if (load === undefined)
      return notChecked('unknown_type', `This probe cannot check monitors of type ${type}: update it`);
    // Loading a type is charged to no check.
    run = await workFor(undefined, load);
    loaded.set(type, run);
  }
  return run(config as never, context);
}
