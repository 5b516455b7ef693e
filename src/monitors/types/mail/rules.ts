// What a monitor of type `mail` accepts beyond its schema (docs/rules/monitor-types.md#mail).

import { completed } from '../completed.ts';
import { checkDegradedAfter } from '../latency.ts';
import { invalidConfig, type TypeRules } from '../rules.ts';
import { MailConfig, mailDestination } from './config.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the command it is sent in.
const CONTROL = /[\u0000-\u001f\u007f]/;

export const mail: TypeRules<MailConfig> = {
  type: 'mail',
  schema: MailConfig,
  complete: completed(MailConfig),
  destination: mailDestination,
  secrets: (config) => (typeof config.auth?.password === 'string' ? [['auth', 'password']] : []),
  checkTarget(config, context) {
    context.host(config.host, 'config.host');
    if (config.port !== null) context.port(config.port, 'config.port');
  },
  check(config) {
    checkDegradedAfter(config);
    for (const [name, text] of Object.entries(config.auth ?? {}))
      if (CONTROL.test(text)) invalidConfig(`config.auth.${name}`, 'must not contain control characters');
  },
};
