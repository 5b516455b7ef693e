// The rules of type `mail` that its schema cannot state (docs/rules/monitor-types.md#mail).

import { invalidConfig, type TypeRules } from '../rules.ts';
import { checkDegradedAfter } from '../thresholds.ts';
import { MailConfig, mailDestination } from './config.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: a line break would end the command it is sent in.
const CONTROL = /[\u0000-\u001f\u007f]/;

export const mail: TypeRules<MailConfig> = {
  type: 'mail',
  schema: MailConfig,
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
