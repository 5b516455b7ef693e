// Browser-safe. Config of type `grpc` (docs/rules/monitor-types.md#grpc): grpc.health.v1.
import { type Static, Type } from 'typebox';
import { destination, hostOf } from '../destination.ts';
import {
  config,
  DegradedAfter,
  Headers,
  Host,
  IpFamilyChoice,
  Port,
  SecretNames,
  Timeout,
} from '../parts.ts';

export const GrpcConfig = config({
  host: Host,
  port: Port,
  /** The service whose health is asked for; "": the server as a whole. */
  service: Type.String({ maxLength: 512, default: '' }),
  tls: Type.Boolean({ default: true }),
  metadata: Headers,
  secret_metadata: SecretNames,
  timeout_ms: Timeout(5000),
  degraded_after_ms: DegradedAfter,
  ip_family: IpFamilyChoice,
});
export type GrpcConfig = Static<typeof GrpcConfig>;

export const grpcDestination = (config: Readonly<Record<string, unknown>>): string =>
  destination(hostOf(config), config.port, config.tls ?? true);
