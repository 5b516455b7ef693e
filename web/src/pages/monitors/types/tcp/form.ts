// The form of the `tcp` type.
import { TcpConfig } from '#src/monitors/types/tcp/config.ts';
import { type Amount, orEmpty, orNull } from '#web/pages/monitors/form/amounts.ts';
import { hostProblem, portProblem } from '#web/pages/monitors/form/checks.ts';
import { conversationSection } from '#web/pages/monitors/form/conversation.ts';
import {
  type IpFamily,
  readTiming,
  type Timing,
  timingProblems,
  timingSection,
  writeTiming,
} from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';

export type TcpValues = Timing &
  IpFamily & { host: string; port: Amount; tls: boolean; send: string; crlf: boolean; expect: string };

export const form = typeForm<TcpValues, TcpConfig>({
  type: 'tcp',
  schema: TcpConfig,
  start: { host: '', port: '' },
  read: (config) => ({
    host: config.host,
    port: config.port,
    tls: config.tls,
    send: (config.send ?? '').replaceAll('\r\n', '\n'),
    crlf: config.send === null || !/(^|[^\r])\n/.test(config.send),
    expect: orEmpty(config.expect),
    ip_family: config.ip_family,
    ...readTiming(config),
  }),
  write: (values) => ({
    host: values.host.trim(),
    port: orNull(values.port),
    tls: values.tls,
    send: orNull(values.crlf ? values.send.replaceAll('\n', '\r\n') : values.send),
    expect: orNull(values.expect),
    ip_family: values.ip_family,
    ...writeTiming(values),
  }),
  problems: (values) => ({
    host: hostProblem(values.host),
    port: portProblem(values.port),
    ...timingProblems(values),
  }),
  sections: [conversationSection(['send', 'expect']), timingSection(TcpConfig)],
});
