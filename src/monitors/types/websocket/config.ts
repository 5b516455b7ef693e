// Browser-safe. Config of type `websocket` (docs/rules/monitor-types.md#websocket).
import { type Static, Type } from 'typebox';
import { Nullable } from '#src/platform/contract.ts';
import { destination, originOf } from '../destination.ts';
import { config, DegradedAfter, Headers, IpFamilyChoice, SecretNames, Timeout } from '../parts.ts';

export const WebsocketConfig = config({
  url: Type.String({ maxLength: 8192 }),
  headers: Headers,
  secret_headers: SecretNames,
  subprotocol: Nullable(Type.String({ minLength: 1, maxLength: 256 })),
  /** Text message to send once open; null: nothing. */
  send: Nullable(Type.String({ maxLength: 4096 })),
  /** Must occur in a message of the server; null: an open connection is enough. */
  expect: Nullable(Type.String({ minLength: 1, maxLength: 512 })),
  timeout_ms: Timeout(10000),
  degraded_after_ms: DegradedAfter,
  ip_family: IpFamilyChoice,
});
export type WebsocketConfig = Static<typeof WebsocketConfig>;

export const websocketDestination = (config: Readonly<Record<string, unknown>>): string =>
  destination(originOf(config.url));
