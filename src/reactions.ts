// The upward effects, in one table: what a lower slice announces, and who reacts.
import { personLeaves } from './accounts/delete-me.ts';
import { addressProven } from './accounts/first-proof.ts';
import { inheritedChanged } from './alarm-policy/inherited.ts';
import { revokeKeysOf } from './api-keys/revoke.ts';
import { refuseFarBehind } from './checks/behind.ts';
import { confirmInTime, restartAfterClosing } from './checks/confirm-later.ts';
import { deriveAgainLater } from './checks/derive-group.ts';
import { purgeLater } from './checks/purge.ts';
import { restateFigures } from './checks/restate.ts';
import { incidentsChanged } from './incidents/announce.ts';
import { manualIncidentsChanged } from './incidents/close.ts';
import { pastIncidentOpens } from './incidents/create.ts';
import { forgetInTimelines } from './incidents/forget-person.ts';
import { recordDeliveries } from './incidents/record-delivery.ts';
import { closedByHand } from './incidents/resolve.ts';
import { maintenanceChanged } from './maintenance/changed.ts';
import { applyInherited } from './monitors/apply-inherited.ts';
import { deleteMonitorsOf, monitorsDeleted } from './monitors/delete.ts';
import { showManualIncidents } from './monitors/manual-incidents.ts';
import { policyChanged } from './monitors/update.ts';
import { noticeEnded } from './notices/ended.ts';
import { unsubscribeAll } from './notices/push/subscribe.ts';
import { followIncidents } from './on-call/alarm/follow.ts';
import { noteNotice } from './on-call/alarm/notice-ended.ts';
import { pauseQuiet, resumeQuiet } from './on-call/alarm/quiet.ts';
import { organizationDeleted } from './organizations/delete.ts';
import { leaveAll } from './organizations/leave-all.ts';
import { keysGoWithMember } from './organizations/remove-member.ts';
import { revokeAllInvitationsOf } from './organizations/revoke-invitation.ts';
import { deliveriesEnded } from './webhooks/desk/settle.ts';

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
maintenanceChanged.react((work, { begun }) => pauseQuiet(work, begun));
// In this order: what opens only now is told when the unit of work ends, with its alarm.
maintenanceChanged.react((work, { released }) => resumeQuiet(work, released));
maintenanceChanged.react((work, { released }) => confirmInTime(work, released));
policyChanged.react((work, { monitorNos }) => confirmInTime(work, monitorNos));
closedByHand.react((work, { monitorNo }) => restartAfterClosing(work, monitorNo));
closedByHand.react((work, { monitorNo }) => deriveAgainLater(work, monitorNo));
pastIncidentOpens.react((work, { monitorNo, startedAt }) => refuseFarBehind(work, monitorNo, startedAt));
manualIncidentsChanged.react((work, { monitorNos }) => showManualIncidents(work, monitorNos));
monitorsDeleted.react((work, { monitorNos }) => purgeLater(work, monitorNos));
organizationDeleted.react((work, { orgId }) => deleteMonitorsOf(work, orgId));
incidentsChanged.react(followIncidents);
noticeEnded.react(noteNotice);
deliveriesEnded.react(recordDeliveries);
