// The upward effects, in one table: each event that a lower slice announces, and its reactions.
import { personLeaves } from './accounts/delete-me.ts';
import { addressProven } from './accounts/first-proof.ts';
import { inheritedChanged } from './alarm-policy/inherited.ts';
import { revokeKeysOf } from './api-keys/revoke.ts';
import { confirmInTime, restartAfterClosing } from './checks/decide.ts';
import { deriveAgainLater } from './checks/derive-group.ts';
import { incidentsChanged } from './incidents/announce.ts';
import { manualIncidentsChanged } from './incidents/close.ts';
import { pastIncidentOpens } from './incidents/create.ts';
import { forgetInTimelines } from './incidents/forget-person.ts';
import { recordDeliveries } from './incidents/record-delivery.ts';
import { closedByHand } from './incidents/resolve.ts';
import { maintenanceChanged } from './maintenance/changed.ts';
import { leaveAll } from './members/leave-all.ts';
import { keysGoWithMember } from './members/remove-member.ts';
import { revokeAllInvitationsOf } from './members/revoke-invitation.ts';
import { applyInherited } from './monitors/apply-inherited.ts';
import { deleteMonitorsOf, monitorsDeleted } from './monitors/delete.ts';
import { showManualIncidents } from './monitors/manual-incidents.ts';
import { policyChanged } from './monitors/update.ts';
import { deliveriesEnded } from './notifications/delivery/record-outcome.ts';
import { recordNoticeOutcome } from './on-call/alarm/delivery-outcome.ts';
import { pauseForMaintenance, resumeAfterMaintenance } from './on-call/alarm/maintenance-pause.ts';
import { onIncidentsChanged } from './on-call/alarm/on-incident-change.ts';
import { organizationDeleted } from './organizations/delete.ts';
import { refuseFarBehind } from './series/behind.ts';
import { purgeLater } from './series/purge.ts';
import { restateFigures } from './series/restate.ts';
import { noticeEnded } from './user-notifications/ended.ts';
import { unsubscribeAll } from './user-notifications/push/subscribe.ts';

personLeaves.react((work, { userId }) => leaveAll(work, userId));
personLeaves.react((work, { userId }) => forgetInTimelines(work, userId));
addressProven.react(async (work, { userId, removed }) => {
  removed.api_keys = await revokeKeysOf(work, userId);
  removed.invitations = await revokeAllInvitationsOf(work, userId);
  removed.push_subscriptions = await unsubscribeAll(work, userId);
});
keysGoWithMember.react(async (work, { orgId, userId }) => {
  await revokeKeysOf(work, userId, orgId);
});
inheritedChanged.react(applyInherited);
maintenanceChanged.react((work, { restated }) => restateFigures(work, restated));
maintenanceChanged.react((work, { begun }) => pauseForMaintenance(work, begun));
// In this order: incidents that open only now are announced at the end of the unit of work, with their alarm.
maintenanceChanged.react((work, { released }) => resumeAfterMaintenance(work, released));
maintenanceChanged.react((work, { released }) => confirmInTime(work, released));
policyChanged.react((work, { monitorNos }) => confirmInTime(work, monitorNos));
closedByHand.react((work, { monitorNo }) => restartAfterClosing(work, monitorNo));
closedByHand.react((work, { monitorNo }) => deriveAgainLater(work, monitorNo));
pastIncidentOpens.react((work, { monitorNo, startedAt }) => refuseFarBehind(work, monitorNo, startedAt));
manualIncidentsChanged.react((work, { monitorNos }) => showManualIncidents(work, monitorNos));
monitorsDeleted.react((work, { monitorNos }) => purgeLater(work, monitorNos));
organizationDeleted.react((work, { orgId }) => deleteMonitorsOf(work, orgId));
incidentsChanged.react(onIncidentsChanged);
noticeEnded.react(recordNoticeOutcome);
deliveriesEnded.react(recordDeliveries);
