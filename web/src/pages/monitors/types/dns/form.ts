// The form of the `dns` type.
import { isRecordValue } from '#src/domain/dns-record-value.ts';
import { isAddress } from '#src/domain/target.ts';
import { DnsConfig } from '#src/monitors/types/dns/config.ts';
import { type Amount, orEmpty, textOrNull } from '#web/pages/monitors/form/amounts.ts';
import { hostProblem, NEEDED, optionalPortProblem } from '#web/pages/monitors/form/checks.ts';
import {
  readTiming,
  type Timing,
  timingProblems,
  timingSection,
  writeTiming,
} from '#web/pages/monitors/form/timing.ts';
import { type Problem, typeForm } from '../type-form.ts';

export type DnsValues = Timing & {
  host: string;
  record_type: DnsConfig['record_type'];
  expected_rcode: DnsConfig['expected_rcode'];
  expected: { mode: 'off' | 'any' | 'all' | 'exact'; values: string[] };
  resolver: string;
  port: Amount;
  transport: DnsConfig['transport'];
};

/** Only an answer with records has values to expect. */
export const asksForValues = ({ expected, expected_rcode }: DnsValues): boolean =>
  expected.mode !== 'off' && expected_rcode === 'NOERROR';

function nameProblem({ host, record_type }: DnsValues): Problem | null {
  const problem = hostProblem(host);
  if (problem !== null || record_type === 'PTR') return problem;
  return isAddress(host.trim()) ? { key: 'problems.addressNeedsPtr' } : null;
}

function valuesProblem(values: DnsValues): Problem | null {
  if (!asksForValues(values)) return null;
  const wanted = values.expected.values;
  if (wanted.length === 0) return { key: NEEDED };
  const wrong = wanted.find((value) => !isRecordValue(values.record_type, value));
  return wrong === undefined
    ? null
    : { key: 'problems.recordValue', values: { value: wrong, type: values.record_type } };
}

export const form = typeForm<DnsValues, DnsConfig>({
  type: 'dns',
  schema: DnsConfig,
  start: { host: '', record_type: 'A' },
  read: (config) => ({
    host: config.host,
    record_type: config.record_type,
    expected_rcode: config.expected_rcode,
    expected: config.expected ?? { mode: 'off', values: [] },
    resolver: orEmpty(config.resolver),
    port: config.port,
    transport: config.transport,
    ...readTiming(config),
  }),
  write: (values) => ({
    host: values.host.trim(),
    record_type: values.record_type,
    expected_rcode: values.expected_rcode,
    expected: asksForValues(values) ? values.expected : null,
    resolver: textOrNull(values.resolver),
    ...(values.port === '' ? {} : { port: values.port }),
    transport: values.transport,
    ...writeTiming(values),
  }),
  problems: (values) => ({
    host: nameProblem(values),
    'expected.values': valuesProblem(values),
    resolver: values.resolver.trim() === '' ? null : hostProblem(values.resolver),
    port: optionalPortProblem(values.port),
    ...timingProblems(values),
  }),
  sections: [
    {
      id: 'answer',
      fields: ['expected_rcode', 'expected'],
      title: (t) => t('fields.dns.answer'),
      summary: (t, formats, values) => {
        const { expected, expected_rcode } = values;
        const said: string[] = expected_rcode === 'NOERROR' ? [] : [expected_rcode];
        if (asksForValues(values))
          said.push(`${t(`fields.dns.modes.${expected.mode}`)}: ${formats.list(expected.values)}`);
        return said.length === 0 ? t('fields.dns.anyAnswer') : said.join(' · ');
      },
    },
    {
      id: 'server',
      fields: ['resolver', 'port', 'transport'],
      title: (t) => t('fields.dns.server'),
      summary: (t, _formats, { resolver, port, transport }) => {
        const where = resolver.trim() === '' ? t('fields.dns.ownServer') : resolver.trim();
        return [where, transport.toUpperCase(), ...(port === 53 || port === '' ? [] : [String(port)])].join(
          ' · ',
        );
      },
    },
    timingSection(DnsConfig),
  ],
  aliases: { expected: 'expected.values' },
});
