// The form of the `udp` type.
import { UdpConfig } from '#src/monitors/types/udp/config.ts';
import { type Amount, orEmpty, orNull } from '#web/pages/monitors/form/amounts.ts';
import { bytesProblem, hostProblem, NEEDED, portProblem } from '#web/pages/monitors/form/checks.ts';
import {
  type IpFamily,
  readTiming,
  type Timing,
  timingProblems,
  timingSection,
  writeTiming,
} from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';

export type UdpValues = Timing &
  IpFamily & {
    host: string;
    port: Amount;
    payload: string;
    encoding: UdpConfig['encoding'];
    expect: string;
  };

/** Bytes are often pasted in groups; spaces are removed before sending. */
function bare(text: string, encoding: UdpConfig['encoding']): string {
  return encoding === 'text' ? text : text.replace(/\s+/g, '');
}

export const form = typeForm<UdpValues, UdpConfig>({
  type: 'udp',
  schema: UdpConfig,
  start: { host: '', port: '', payload: '' },
  read: (config) => ({
    host: config.host,
    port: config.port,
    payload: config.payload,
    encoding: config.encoding,
    expect: orEmpty(config.expect),
    ip_family: config.ip_family,
    ...readTiming(config),
  }),
  write: (values) => ({
    host: values.host.trim(),
    port: orNull(values.port),
    payload: bare(values.payload, values.encoding),
    encoding: values.encoding,
    expect: orNull(bare(values.expect, values.encoding)),
    ip_family: values.ip_family,
    ...writeTiming(values),
  }),
  problems: (values) => ({
    host: hostProblem(values.host),
    port: portProblem(values.port),
    payload: values.payload === '' ? { key: NEEDED } : bytesProblem(values.payload, values.encoding),
    expect: bytesProblem(values.expect, values.encoding),
    ...timingProblems(values),
  }),
  sections: [timingSection(UdpConfig)],
});
