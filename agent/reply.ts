// Parses the server's answers (docs/rules/agents.md#protocol). Pure: a bad answer causes no crash.
import type { Enrolled, HeartbeatReply } from '../src/agents/protocol-contract.ts';
import { SERVICE_KINDS } from '../src/domain/names.ts';
import { isRecord } from './heartbeat.ts';
import { MAX_SERVICES } from './limits.ts';

export type WatchedName = { kind: (typeof SERVICE_KINDS)[number]; name: string };

/** An answer to a heartbeat, reduced to values that the agent can use. */
export type Reply = {
  intervalSeconds: number;
  serverTimeMs: number | null;
  watched: WatchedName[];
  inventoryEnabled: boolean;
  dropped: string[];
  upgrade: HeartbeatReply['upgrade'] | null;
};

/** Limits on the server's interval: neither a busy loop nor once a day. */
const MIN_SECONDS = 1;
const MAX_SECONDS = 3600;
const MAX_CHARACTERS = 128;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this looks for control characters.
const NO_NAME = /[\u0000-\u001f\u007f-\u009f\u2028\u2029/\\]/;

/** undefined: not an answer of a Tocsin server. */
export function readReply(body: unknown): Reply | undefined {
  if (!isRecord(body) || !isSeconds(body.interval_seconds)) return undefined;
  return {
    intervalSeconds: Math.min(Math.max(body.interval_seconds, MIN_SECONDS), MAX_SECONDS),
    serverTimeMs: isTime(body.server_time_ms) ? body.server_time_ms : null,
    watched: readWatched(body.watched_services),
    inventoryEnabled: body.inventory_enabled === true,
    dropped: Array.isArray(body.dropped) ? body.dropped.filter((path) => typeof path === 'string') : [],
    upgrade: readUpgrade(body.upgrade),
  };
}

/** The services in an answer, or in stored settings: names that can be looked up. */
export function readWatched(value: unknown): WatchedName[] {
  if (!Array.isArray(value)) return [];
  return value
    .flatMap((entry: unknown) => {
      if (!isRecord(entry)) return [];
      const { name } = entry;
      const kind = SERVICE_KINDS.find((known) => known === entry.kind);
      return kind !== undefined && isServiceName(name) ? [{ kind, name }] : [];
    })
    .slice(0, MAX_SERVICES);
}

export function readEnrolled(body: unknown): Enrolled | undefined {
  if (!isRecord(body)) return undefined;
  const { agent_id, credential, interval_seconds } = body;
  if (typeof agent_id !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(agent_id)) return undefined;
  // A header can contain nothing else.
  if (typeof credential !== 'string' || !/^[\x21-\x7e]{1,1000}$/.test(credential)) return undefined;
  return isSeconds(interval_seconds) ? { agent_id, credential, interval_seconds } : undefined;
}

/** A name that is passed to a program as an argument: never an option, a path or several lines. */
const isServiceName = (name: unknown): name is string =>
  typeof name === 'string' &&
  name.trim() !== '' &&
  name.length <= MAX_CHARACTERS &&
  !name.startsWith('-') &&
  !NO_NAME.test(name);

function readUpgrade(value: unknown): Reply['upgrade'] {
  if (!isRecord(value)) return null;
  const { version, sha256 } = value;
  if (typeof version !== 'string' || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    return null;
  return { version, sha256 };
}

const isSeconds = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
const isTime = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) > 0;
