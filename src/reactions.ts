// The upward effects, in one table: each hook that a lower slice runs, and its reactions.
import { beforePersonIsDeleted } from './accounts/delete-me.ts';
import { addressProven } from './accounts/first-proof.ts';
import { rightTries } from './accounts/set-back.ts';
import { purgeAgentsOf } from './agents/remove.ts';
import { excuseAgents, rightAgents } from './agents/silence.ts';
import { inheritedChanged } from './alarm-policy/inherited.ts';
import { revokeKeysOf } from './api-keys/revoke.ts';
import { askSoon } from './capsules/ask.ts';
import { openDueIncidents, resetAfterClosing } from './checks/decide.ts';
import { deriveAgainLater } from './checks/derive-group.ts';
import { olderResultsStored } from './checks/older-results.ts';
import { rightEdges } from './edge/set-back.ts';
import { recoverExamples } from './examples/recover.ts';
import { clockWasSetBack, serversWereAway } from './heartbeats/watched-until.ts';
import { alarmsFollow, incidentsChanged, incidentsChanging } from './incidents/announce.ts';
import { manualIncidentsChanged } from './incidents/close.ts';
import { pastIncidentOpens } from './incidents/create.ts';
import { forgetInTimelines } from './incidents/forget-person.ts';
import { recordDeliveries } from './incidents/record-delivery.ts';
import { closedByHand } from './incidents/resolve.ts';
import { rightIncidents } from './incidents/set-back.ts';
import { wakeTags } from './maintenance/by-tag.ts';
import { maintenanceChanged, windowChanged } from './maintenance/changed.ts';
import { leaveAll } from './members/leave-all.ts';
import { keysGoWithMember, memberRemoved } from './members/remove-member.ts';
import { revokeAllInvitationsOf } from './members/revoke-invitation.ts';
import { rightInvitationMails } from './members/set-back.ts';
import { applyInherited } from './monitors/apply-inherited.ts';
import { deleteMonitorsOf, monitorsDeleted } from './monitors/delete.ts';
import { showManualIncidents } from './monitors/manual-incidents.ts';
import { tagsChanged } from './monitors/tags-changed.ts';
import { policyChanged } from './monitors/update.ts';
import { deliveriesEnded } from './notifications/delivery/record-outcome.ts';
import { rightDeliveries } from './notifications/delivery/set-back.ts';
import { cancelPagesOfUnannounced } from './on-call/alarm/cancel-unannounced.ts';
import { followAcknowledged } from './on-call/alarm/commander-reminder.ts';
import { recordNoticeOutcome } from './on-call/alarm/delivery-outcome.ts';
import { ringForExamples } from './on-call/alarm/example-alarm.ts';
import { pauseForMaintenance, resumeAfterMaintenance } from './on-call/alarm/maintenance-pause.ts';
import { onIncidentsChanged, readForChanges } from './on-call/alarm/on-incident-change.ts';
import { rightAlarms } from './on-call/alarm/set-back.ts';
import { deleteCalendarsOf } from './on-call/calendar.ts';
import { recordDrillDeliveries, recordDrillNotice } from './on-call/drills/record.ts';
import { forgetOverridesOf } from './on-call/overrides.ts';
import { organizationDeleted } from './organizations/delete.ts';
import { projectRenamed } from './projects/rename.ts';
import { rightProbes } from './regions/set-back.ts';
import { rightReports } from './reports/mailed/set-back.ts';
import { rightTroubles } from './self-monitoring/set-back.ts';
import { moveSilences } from './self-monitoring/silences.ts';
import { refuseFarBehind } from './series/behind.ts';
import { purgeLater } from './series/purge.ts';
import { recalculateFigures } from './series/recalculate.ts';
import { linkOpened } from './status-pages/auto-link.ts';
import { wakePageTags } from './status-pages/by-tag.ts';
import { announceFigures, announceFiguresOf, announcePagesOf } from './status-pages/changed.ts';
import { rightStatusPages } from './status-pages/set-back.ts';
import { announceIncidents, announceWindow } from './status-pages/subscriptions/announce.ts';
import { noticeEnded } from './user-notifications/ended.ts';
import { unsubscribeAll } from './user-notifications/push/subscribe.ts';
import { rightNotices } from './user-notifications/set-back.ts';
import { revokeWallLinksOf } from './walls/links.ts';

beforePersonIsDeleted.on((work, { userId }) => leaveAll(work, userId));
beforePersonIsDeleted.on((work, { userId }) => forgetInTimelines(work, userId));
addressProven.on(async (work, { userId, removed }) => {
  removed.api_keys = await revokeKeysOf(work, userId);
  removed.invitations = await revokeAllInvitationsOf(work, userId);
  removed.push_subscriptions = await unsubscribeAll(work, userId);
  removed.calendars = await deleteCalendarsOf(work, userId);
  removed.wall_links = await revokeWallLinksOf(work, userId);
});
memberRemoved.on(forgetOverridesOf);
keysGoWithMember.on(async (work, { orgId, userId }) => {
  await revokeKeysOf(work, userId, orgId);
  await revokeWallLinksOf(work, userId, orgId);
});
inheritedChanged.on(applyInherited);
maintenanceChanged.on((work, { changed }) => recalculateFigures(work, changed));
maintenanceChanged.on((work, { begun }) => pauseForMaintenance(work, begun));
// In this order: incidents that open only now are announced at the end of the unit of work, with their alarm.
maintenanceChanged.on((work, { released }) => resumeAfterMaintenance(work, released));
maintenanceChanged.on((work, { released }) => openDueIncidents(work, released));
policyChanged.on((work, { monitorNos }) => openDueIncidents(work, monitorNos));
closedByHand.on((work, { monitorNo }) => resetAfterClosing(work, monitorNo));
closedByHand.on((work, { monitorNo }) => deriveAgainLater(work, monitorNo));
pastIncidentOpens.on((work, { monitorNo, startedAt }) => refuseFarBehind(work, monitorNo, startedAt));
manualIncidentsChanged.on((work, { monitorNos }) => showManualIncidents(work, monitorNos));
olderResultsStored.on(moveSilences);
monitorsDeleted.on((work, { monitorNos }) => purgeLater(work, monitorNos));
organizationDeleted.on((work, { orgId }) => announcePagesOf(work, orgId));
organizationDeleted.on((work, { orgId }) => purgeAgentsOf(work, orgId));
organizationDeleted.on((work, { orgId }) => deleteMonitorsOf(work, orgId));
// Pages call a group by it.
projectRenamed.on((work, { orgId }) => announceFigures(work, orgId));
incidentsChanging.on(readForChanges);
alarmsFollow.on(onIncidentsChanged);
alarmsFollow.on(ringForExamples);
// Behind the alarms, whose pages are written by then: when those are due depends on what waits.
incidentsChanged.on(cancelPagesOfUnannounced);
incidentsChanged.on(followAcknowledged);
incidentsChanged.on(recoverExamples);
incidentsChanged.on(linkOpened);
incidentsChanged.on(async (work, { changes }) => {
  if (changes.some(({ change }) => change === 'opened')) askSoon(work);
});
incidentsChanged.on(async (work, { orgId, changes }) => {
  if (changes.some(({ change }) => change === 'discarded' || change === 'restored'))
    await announceFigures(work, orgId);
});
maintenanceChanged.on((work, { changed }) =>
  announceFiguresOf(
    work,
    changed.flatMap(({ monitorNos }) => monitorNos),
  ),
);
// After the links of what opened are written: those are what is announced.
incidentsChanged.on(async (work, changed) => announceIncidents(work, changed));
windowChanged.on(announceWindow);
tagsChanged.on(wakeTags);
tagsChanged.on(wakePageTags);
noticeEnded.on(recordNoticeOutcome);
noticeEnded.on(recordDrillNotice);
deliveriesEnded.on(recordDeliveries);
deliveriesEnded.on(recordDrillDeliveries);
serversWereAway.on(excuseAgents);
clockWasSetBack.on(rightAgents);
clockWasSetBack.on(rightProbes);
clockWasSetBack.on(rightTroubles);
clockWasSetBack.on(rightIncidents);
clockWasSetBack.on(rightAlarms);
clockWasSetBack.on(rightDeliveries);
clockWasSetBack.on(rightNotices);
clockWasSetBack.on(rightStatusPages);
clockWasSetBack.on(rightReports);
clockWasSetBack.on(rightTries);
clockWasSetBack.on(rightInvitationMails);
clockWasSetBack.on(rightEdges);
