// The rules of type `service` that its schema cannot state (docs/rules/monitor-types.md#service). references.ts looks
// its agent up.
import { refuse } from '#src/platform/refusals.ts';
import type { TypeRules } from '../rules.ts';
import { ServiceConfig } from './config.ts';

const MOST_CHARACTERS = 128;
/** Path separators, and what a shell gives a meaning to. */
const FORBIDDEN = /[/\\;&|$<>(){}[\]*?!'"`~#%^]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

export const service: TypeRules<ServiceConfig> = {
  type: 'service',
  schema: ServiceConfig,
  secrets: () => [],
  checkTarget({ service: name }) {
    if (typeof name === 'string') checkName(name);
  },
  check: () => {},
};

function checkName(name: string): void {
  if (name.trim() === '') invalidName('must not be empty');
  if (name.trim() !== name) invalidName('must not begin or end with a space');
  if ([...name].length > MOST_CHARACTERS) invalidName(`must be at most ${MOST_CHARACTERS} characters long`);
  if (CONTROL.test(name)) invalidName('must not contain control characters');
  const [found] = FORBIDDEN.exec(name) ?? [];
  if (found !== undefined) invalidName(`must not contain ${found}`);
  // It would be read as an option by what is asked for the service.
  if (name.startsWith('-')) invalidName('must not begin with a hyphen');
}

function invalidName(what: string): never {
  refuse('invalid_service_name', `config.service ${what}.`, { field: 'config.service' });
}
