// The form of the `tls` type.
import { TlsConfig } from '#src/monitors/types/tls/config.ts';
import { type Amount, orEmpty, textOrNull } from '#web/pages/monitors/form/amounts.ts';
import { daysProblems, hostProblem, optionalPortProblem } from '#web/pages/monitors/form/checks.ts';
import {
  type IpFamily,
  readTiming,
  type Timing,
  timingProblems,
  timingSection,
  writeTiming,
} from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';

export type TlsValues = Timing &
  IpFamily & {
    host: string;
    port: Amount;
    warn_days: Amount;
    fail_days: Amount;
    starttls: TlsConfig['starttls'];
    server_name: string;
    verify_chain: boolean;
    verify_hostname: boolean;
  };

export const form = typeForm<TlsValues, TlsConfig>({
  type: 'tls',
  schema: TlsConfig,
  start: { host: '' },
  read: ({ host, port, warn_days, fail_days, starttls, verify_chain, verify_hostname, ...config }) => ({
    host,
    port,
    warn_days,
    fail_days,
    starttls,
    verify_chain,
    verify_hostname,
    server_name: orEmpty(config.server_name),
    ip_family: config.ip_family,
    ...readTiming(config),
  }),
  write: ({ host, port, warn_days, fail_days, starttls, verify_chain, verify_hostname, ...values }) => ({
    host: host.trim(),
    ...(port === '' ? {} : { port }),
    warn_days,
    fail_days,
    starttls,
    verify_chain,
    verify_hostname,
    server_name: textOrNull(values.server_name),
    ip_family: values.ip_family,
    ...writeTiming(values),
  }),
  problems: (values) => ({
    host: hostProblem(values.host),
    port: optionalPortProblem(values.port),
    ...daysProblems(values.warn_days, values.fail_days),
    ...timingProblems(values),
  }),
  sections: [
    {
      id: 'handshake',
      fields: ['starttls', 'server_name', 'verify_chain', 'verify_hostname'],
      title: (t) => t('fields.tls.handshake'),
      summary: (t, _formats, { starttls, verify_chain, verify_hostname }) =>
        [
          ...(starttls === 'none' ? [] : [`STARTTLS ${starttls}`]),
          t(verify_chain && verify_hostname ? 'form.tls.verified' : 'fields.tls.partly'),
        ].join(' · '),
    },
    timingSection(TlsConfig),
  ],
});
