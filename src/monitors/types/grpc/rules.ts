// The rules of type `grpc` that its schema cannot state (docs/rules/monitor-types.md#grpc).
import { checkHeaders, secretHeaders } from '../headers.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { checkDegradedAfter } from '../thresholds.ts';
import { GrpcConfig, grpcDestination } from './config.ts';

/** Names and values of metadata as they are on the wire (gRPC over HTTP/2, requests). */
const NAME = /^[0-9a-z_.-]+$/i;
const VALUE = /^[\x20-\x7e]*$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

export const grpc: TypeRules<GrpcConfig> = {
  type: 'grpc',
  schema: GrpcConfig,
  destination: grpcDestination,
  secrets: (config) => secretHeaders('metadata', config.metadata, config.secret_metadata),
  checkTarget(config, context) {
    context.host(config.host, 'config.host');
    context.port(config.port, 'config.port');
  },
  check(config) {
    checkDegradedAfter(config);
    checkHeaders(config.metadata, 'config.metadata', isOfTheProtocol);
    for (const [name, value] of Object.entries(config.metadata)) {
      const field = `config.metadata.${name}`;
      if (!NAME.test(name)) invalidConfig(field, 'is not a name of gRPC metadata');
      if (!VALUE.test(value)) invalidConfig(field, 'has a character that gRPC metadata cannot carry');
      if (name.toLowerCase().endsWith('-bin') && !BASE64.test(value))
        invalidConfig(field, 'must be base64, as its name ends with -bin');
    }
  },
};

const isOfTheProtocol = (name: string) => name.startsWith('grpc-') || name === 'content-type';
