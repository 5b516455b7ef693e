// The rules of type `udp` that its schema cannot state (docs/rules/monitor-types.md#udp).
import { bytesOf, DATAGRAM_BYTES } from '#src/domain/datagram.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { checkDegradedAfter } from '../thresholds.ts';
import { UdpConfig } from './config.ts';

export const udp: TypeRules<UdpConfig> = {
  type: 'udp',
  schema: UdpConfig,
  secrets: () => [],
  checkTarget(config, context) {
    context.host(config.host, 'config.host');
    context.port(config.port, 'config.port');
  },
  check(config) {
    checkDegradedAfter(config);
    checkBytes(config.payload, config.encoding, 'config.payload');
    if (config.expect !== null) checkBytes(config.expect, config.encoding, 'config.expect');
  },
};

function checkBytes(text: string, encoding: UdpConfig['encoding'], field: string): void {
  const bytes = bytesOf(text, encoding);
  if (bytes === null) invalidConfig(field, `is not ${encoding}`);
  if (bytes.length > DATAGRAM_BYTES)
    invalidConfig(field, `must be at most ${DATAGRAM_BYTES} bytes, so that it is one packet on every path`);
}
