import type { Texts } from '../texts.ts';
import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { alarmPolicy } from './alarm-policy.ts';
import { errors } from './errors.ts';
import { form } from './form.ts';
import { incidents } from './incidents.ts';
import { incidentCommand } from './incidents-command.ts';
import { postmortem } from './incidents-postmortem.ts';
import { keys } from './keys.ts';
import { maintenance } from './maintenance.ts';
import { measurements } from './measurements.ts';
import { members } from './members.ts';
import { monitorDetail } from './monitor-detail.ts';
import { monitorFields } from './monitor-fields.ts';
import { monitorKinds } from './monitor-kinds.ts';
import { monitors } from './monitors.ts';
import { onCall } from './on-call.ts';
import { operator } from './operator.ts';
import { operatorRegions } from './operator-regions.ts';
import { plan } from './plan.ts';
import { security } from './security.ts';
import { settings } from './settings.ts';
import { shell } from './shell.ts';
import { webhooks } from './webhooks.ts';

export const de: Texts = {
  ...shell,
  ...accounts,
  ...security,
  ...monitors,
  ...monitorKinds,
  ...monitorFields,
  ...monitorDetail,
  ...form,
  ...measurements,
  ...maintenance,
  ...incidents,
  ...incidentCommand,
  ...postmortem,
  ...webhooks,
  ...onCall,
  ...activity,
  ...keys,
  ...members,
  ...operator,
  ...operatorRegions,
  ...alarmPolicy,
  ...plan,
  ...settings,
  errors,
};
