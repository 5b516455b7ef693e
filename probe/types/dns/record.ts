import type { Answer } from 'dns-packet';
import ipaddr from 'ipaddr.js';
import type { DnsConfig } from '#src/monitors/types/dns/config.ts';

/**
 * A record's value in the presentation format of RFC 1035, as people write it in `expected`: "10 mail.example.com", "0 issue
 * letsencrypt.org"; the strings of a TXT record joined. Undefined for a record without one.
 */
export function recordValue(record: Answer): string | undefined {
  switch (record.type) {
    case 'A':
    case 'AAAA':
    case 'CNAME':
    case 'NS':
    case 'PTR':
      return record.data;
    case 'MX':
      return `${record.data.preference ?? 0} ${record.data.exchange}`;
    case 'SRV':
      return `${record.data.priority ?? 0} ${record.data.weight ?? 0} ${record.data.port} ${record.data.target}`;
    case 'CAA':
      return `${record.data.flags ?? 0} ${record.data.tag} ${record.data.value}`;
    case 'SOA': {
      const { mname, rname, serial, refresh, retry, expire, minimum } = record.data;
      return [mname, rname, serial, refresh, retry, expire, minimum].join(' ');
    }
    case 'TXT': {
      const strings = Array.isArray(record.data) ? record.data : [record.data];
      return Buffer.concat(strings.map((string) => Buffer.from(string))).toString('utf8');
    }
    default:
      return undefined;
  }
}

/**
 * A normalised value for comparison: ignores case (of TXT records too), trailing dots, surrounding quotation marks and the
 * spelling of an IPv6 address (docs/rules/monitor-types.md#dns).
 */
export function comparable(value: string): string {
  const words = value.trim().toLowerCase().split(/\s+/);
  return words
    .map((word) => word.replace(/^"(.*)"$/, '$1').replace(/(?<=.)\.$/, ''))
    .map((word) => (ipaddr.IPv6.isValid(word) ? ipaddr.IPv6.parse(word).toNormalizedString() : word))
    .join(' ')
    .replace(/^"(.*)"$/, '$1');
}

/**
 * The expected values that are missing, and the answered values that are not expected. Each value is normalised once, since
 * both lists may be long. A mail host may be expected without preference.
 */
export function compareRecords(
  type: DnsConfig['record_type'],
  answered: readonly string[],
  expected: readonly string[],
): { missing: string[]; surplus: string[] } {
  const spellings = (value: string): string[] => {
    const whole = comparable(value);
    return type === 'MX' ? [whole, whole.slice(whole.indexOf(' ') + 1)] : [whole];
  };
  const there = answered.map((value) => ({ value, as: spellings(value) }));
  const wanted = expected.map((value) => ({ value, as: comparable(value) }));
  const found = new Set(there.flatMap(({ as }) => as));
  const known = new Set(wanted.map(({ as }) => as));
  return {
    missing: wanted.filter(({ as }) => !found.has(as)).map(({ value }) => value),
    surplus: there.filter(({ as }) => !as.some((one) => known.has(one))).map(({ value }) => value),
  };
}
