// Browser-safe. Parts that the configs of several monitor types share (docs/rules/monitor-types.md#network-fields,
// docs/rules/monitor-types.md#headers).
import { type TProperties, Type } from 'typebox';
import { closed, Nullable } from '#src/platform/contract.ts';

/** A closed object: unknown fields are refused by name. */
export const config = <P extends TProperties>(properties: P) => Type.Object(properties, closed);

/** A secret in an answer; a client that sends it back keeps the stored value. */
export const SECRET_MASK = '••••';

/** domain/target judges the host, and refuses it with the reasons of the interface. */
export const Host = Type.String({ maxLength: 1024 });
export const Port = Type.Integer({ minimum: 1, maximum: 65535 });
export const PortOr = (fallback: number) => Type.Integer({ minimum: 1, maximum: 65535, default: fallback });
/** For the whole check. */
export const Timeout = (fallback: number) =>
  Type.Integer({ minimum: 100, maximum: 300000, default: fallback });
/** Above this latency a passing check is degraded; null: never. */
export const DegradedAfter = Nullable(Type.Integer({ minimum: 1, maximum: 300000 }));
export const IpFamilyChoice = Type.Enum(['auto', '4', '6'], { default: 'auto' });
export type IpFamilyChoice = 'auto' | '4' | '6';

/** Names and values that a check sends, as HTTP headers or gRPC metadata. */
export const Headers = Type.Record(Type.String({ maxLength: 256 }), Type.String({ maxLength: 8192 }), {
  default: {},
  maxProperties: 50,
});
/** Names to seal beside `authorization`, `cookie` and `proxy-authorization`. */
export const SecretNames = Type.Array(Type.String({ maxLength: 256 }), { default: [], maxItems: 50 });
