// The form of the `mail` type.
import { MAIL_PORTS, MailConfig, mailDestination } from '#src/monitors/types/mail/config.ts';
import { type Amount, orEmpty, orNull } from '#web/pages/monitors/form/amounts.ts';
import { hostProblem, NEEDED, neededProblem, optionalPortProblem } from '#web/pages/monitors/form/checks.ts';
import {
  type IpFamily,
  readTiming,
  type Timing,
  timingProblems,
  timingSection,
  writeTiming,
} from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';

export type MailValues = Timing &
  IpFamily & {
    protocol: MailConfig['protocol'];
    host: string;
    port: Amount;
    security: MailConfig['security'];
    auth: { username: string; password: string };
  };

/** The default port. */
export const usualMailPort = ({ protocol, security }: MailValues): number => MAIL_PORTS[protocol][security];

const signsIn = ({ auth }: MailValues) => auth.username.trim() !== '' || auth.password !== '';

export const form = typeForm<MailValues, MailConfig>({
  type: 'mail',
  schema: MailConfig,
  start: { protocol: 'smtp', host: '', security: 'starttls' },
  read: (config) => ({
    protocol: config.protocol,
    host: config.host,
    port: orEmpty(config.port),
    security: config.security,
    auth: config.auth ?? { username: '', password: '' },
    ip_family: config.ip_family,
    ...readTiming(config),
  }),
  write: (values) => ({
    protocol: values.protocol,
    host: values.host.trim(),
    port: orNull(values.port),
    security: values.security,
    auth: signsIn(values) ? { username: values.auth.username.trim(), password: values.auth.password } : null,
    ip_family: values.ip_family,
    ...writeTiming(values),
  }),
  destination: mailDestination,
  problems: (values) => ({
    host: hostProblem(values.host),
    port: optionalPortProblem(values.port),
    'auth.username': signsIn(values) ? neededProblem(values.auth.username) : null,
    'auth.password': signsIn(values) && values.auth.password === '' ? { key: NEEDED } : null,
    ...timingProblems(values),
  }),
  sections: [
    {
      id: 'signIn',
      fields: ['auth'],
      title: (t) => t('fields.mail.signIn'),
      summary: (t, _formats, values) =>
        signsIn(values)
          ? t('fields.mail.signsInAs', { name: values.auth.username })
          : t('fields.mail.greeting'),
    },
    timingSection(MailConfig),
  ],
  aliases: { auth: 'auth.username' },
});
