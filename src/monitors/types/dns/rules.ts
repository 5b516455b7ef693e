// The rules of type `dns` that its schema cannot state (docs/rules/monitor-types.md#dns).
import { isRecordValue, recordValueForm } from '#src/domain/dns-record-value.ts';
import { isAddress } from '#src/domain/target.ts';
import { refuse } from '#src/platform/refusals.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { checkDegradedAfter } from '../thresholds.ts';
import { DnsConfig } from './config.ts';

export const dns: TypeRules<DnsConfig> = {
  type: 'dns',
  schema: DnsConfig,
  secrets: () => [],
  checkTarget(config, context) {
    // The name is only looked up, so nothing connects to it: the network policy applies to the resolver's address alone.
    context.host(config.host, 'config.host', { isConnectedTo: false });
    if (isAddress(config.host) && config.record_type !== 'PTR')
      refuse(
        'invalid_target',
        'config.host must be a name: an address is asked about with the record type PTR.',
        {
          field: 'config.host',
        },
      );
    if (config.resolver !== null) context.host(config.resolver, 'config.resolver');
    context.port(config.port, 'config.port');
  },
  check(config) {
    checkDegradedAfter(config);
    const { expected, expected_rcode: rcode, record_type: type } = config;
    if (expected === null) return;
    if (rcode !== 'NOERROR') invalidConfig('config.expected', `cannot be given with the answer ${rcode}`);
    for (const [i, value] of expected.values.entries())
      if (!isRecordValue(type, value))
        invalidConfig(
          `config.expected.values.${i}`,
          `must be ${recordValueForm(type)}, as of a ${type} record`,
        );
  },
};
