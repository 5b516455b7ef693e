import { accounts } from './accounts.ts';
import { errors } from './errors.ts';
import { form } from './form.ts';
import { incidents } from './incidents.ts';
import { measurements } from './measurements.ts';
import { monitors } from './monitors.ts';
import { shell } from './shell.ts';
import { webhooks } from './webhooks.ts';

export const en = {
  ...shell,
  ...accounts,
  ...monitors,
  ...form,
  ...measurements,
  ...incidents,
  ...webhooks,
  errors,
};
