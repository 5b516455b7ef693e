import type { Texts } from '../texts.ts';
import { account } from './account.ts';
import { accounts } from './accounts.ts';
import { activity } from './activity.ts';
import { alarmPolicy } from './alarm-policy.ts';
import { apiKeys } from './api-keys.ts';
import { charts } from './charts.ts';
import { checks } from './checks.ts';
import { drills } from './drills.ts';
import { errors } from './errors.ts';
import { example } from './example.ts';
import { firstSteps } from './first-steps.ts';
import { hosts } from './hosts.ts';
import { incidents } from './incidents.ts';
import { capsule } from './incidents-capsule.ts';
import { incidentCommand } from './incidents-command.ts';
import { postmortem } from './incidents-postmortem.ts';
import { maintenance } from './maintenance.ts';
import { members } from './members.ts';
import { monitors } from './monitors.ts';
import { monitorsAll } from './monitors-all.ts';
import { monitorsDetail } from './monitors-detail.ts';
import { monitorsFields } from './monitors-fields.ts';
import { monitorsForm } from './monitors-form.ts';
import { monitorsMany } from './monitors-many.ts';
import { monitorsTypes } from './monitors-types.ts';
import { notifications } from './notifications.ts';
import { onCall } from './on-call.ts';
import { operator } from './operator.ts';
import { operatorDoctor } from './operator-doctor.ts';
import { operatorRegions } from './operator-regions.ts';
import { organizationFile } from './organization-file.ts';
import { organizations } from './organizations.ts';
import { overview } from './overview.ts';
import { palette } from './palette.ts';
import { plan } from './plan.ts';
import { policyReplay } from './policy-replay.ts';
import { reports } from './reports.ts';
import { shell } from './shell.ts';
import { statusPages } from './status-pages.ts';
import { statusPageDomains } from './status-pages-domains.ts';

export const de: Texts = {
  ...shell,
  ...accounts,
  ...account,
  ...monitors,
  ...monitorsAll,
  ...monitorsMany,
  ...monitorsTypes,
  ...monitorsFields,
  ...monitorsDetail,
  ...monitorsForm,
  ...policyReplay,
  ...charts,
  ...checks,
  ...maintenance,
  ...statusPages,
  ...statusPageDomains,
  ...hosts,
  ...reports,
  ...incidents,
  ...incidentCommand,
  ...capsule,
  ...postmortem,
  ...notifications,
  ...onCall,
  ...drills,
  ...example,
  ...firstSteps,
  ...activity,
  ...apiKeys,
  ...members,
  ...operator,
  ...operatorDoctor,
  ...operatorRegions,
  ...alarmPolicy,
  ...plan,
  ...overview,
  ...palette,
  ...organizations,
  ...organizationFile,
  errors,
};
