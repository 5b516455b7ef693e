// The upward effects, in one table: what a lower slice announces, and who reacts (architecture, section 1).
import { personLeaves } from './accounts/delete-me.ts';
import { inheritedChanged } from './alarm-policy/inherited.ts';
import { confirmInTime, restartAfterClosing } from './checks/confirm-later.ts';
import { deriveAgainLater } from './checks/derive-group.ts';
import { purgeLater } from './checks/purge.ts';
import { forgetInTimelines } from './incidents/forget-person.ts';
import { recordDelivery } from './incidents/record-delivery.ts';
import { closedByHand } from './incidents/resolve.ts';
import { applyInherited } from './monitors/apply-inherited.ts';
import { deleteMonitorsOf, monitorsDeleted } from './monitors/delete.ts';
import { policyChanged } from './monitors/update.ts';
import { organizationDeleted } from './organizations/delete.ts';
import { leaveAll } from './organizations/leave-all.ts';
import { deliveryEnded } from './webhooks/deliver.ts';

personLeaves.react((work, { userId }) => leaveAll(work, userId));
personLeaves.react((work, { userId }) => forgetInTimelines(work, userId));
inheritedChanged.react(applyInherited);
policyChanged.react((work, { monitorNos }) => confirmInTime(work, monitorNos));
closedByHand.react((work, { monitorNo }) => restartAfterClosing(work, monitorNo));
closedByHand.react((work, { monitorNo }) => deriveAgainLater(work, monitorNo));
monitorsDeleted.react((work, { monitorNos }) => purgeLater(work, monitorNos));
organizationDeleted.react((work, { orgId }) => deleteMonitorsOf(work, orgId));
deliveryEnded.react(recordDelivery);
