// For every operation: a call that succeeds, on a scene of its own. The walks over all operations fail if one is missing here.
import { createECDH, randomBytes } from 'node:crypto';
import { AGENT_SAMPLES } from './agent-samples.ts';
import { PASSWORD } from './app.ts';
import { FIGURE_SAMPLES } from './figure-samples.ts';
import { MONITOR_SAMPLES } from './monitor-operation-samples.ts';
import { NEWCOMER_SAMPLES } from './newcomer-samples.ts';
import { OVERVIEW_SAMPLES } from './overview-samples.ts';
import type { Sample } from './sample.ts';

const name = () => `Name ${randomBytes(5).toString('hex')}`;
const plain: Sample = {};
/** Sent as it is: the body is an image, whatever its declared type. */
const LOGO = '<svg xmlns="http://www.w3.org/2000/svg"/>';
/** A header alone: an export of nothing. */
const EXPORT = JSON.stringify({
  kind: 'tocsin_organization_export',
  data: {
    format: 1,
    tocsin_version: '0.0.0',
    exported_at: '2026-01-01T00:00:00.000+00:00',
    organization_id: 'org_01k00000000000000000000000',
  },
});
const SPENT = { status: 404, because: 'the token is nobody’s: whoever sends it is told so' };
const UNLOCKED = { status: 404, because: 'the page is public: there is nothing to unlock or to sign in to' };
const OWN_BROWSER = { status: 404, because: 'the browser is somebody else’s' };

export const SAMPLES: Record<string, Sample> = {
  getInstallation: plain,
  completeSetup: {
    body: () => ({
      token: 'x',
      email: 'x@example.com',
      password: 'long enough',
      name: 'X',
      organization: 'X',
    }),
    letIn: { status: 403, because: 'the one set-up token is spent' },
  },
  confirmSignUp: {
    body: () => ({ token: 'nobody', password: 'long enough' }),
    letIn: { status: 403, because: 'nobody signs up here' },
  },
  getMe: plain,
  readFirstProof: plain,
  reauthenticate: { body: () => ({ password: PASSWORD }) },
  updateMe: { body: () => ({ name: name() }) },
  deleteMe: {
    body: () => ({ nonsense: true }),
    letIn: { status: 400, because: 'the cast is needed for the next operation' },
  },

  getPushKey: plain,
  listPushSubscriptions: plain,
  createPushSubscription: {
    body: () => ({
      endpoint: `https://push.example.com/send/${randomBytes(5).toString('hex')}`,
      keys: {
        p256dh: createECDH('prime256v1').generateKeys('base64url'),
        auth: randomBytes(16).toString('base64url'),
      },
    }),
  },
  deletePushSubscription: { letIn: OWN_BROWSER },
  testPushSubscription: { letIn: OWN_BROWSER },

  listMyOrganizations: plain,
  createOrganization: { body: () => ({ name: name() }) },
  renameOrganization: { body: () => ({ name: name() }) },
  deleteOrganization: { unrecorded: 'its log goes with it' },
  exportOrganization: plain,
  importConfiguration: { body: () => EXPORT },
  getConfiguration: plain,
  applyConfiguration: { body: () => ({}), unrecorded: 'a file without sections changes nothing' },
  getOrganizationPlan: plain,

  listMembers: plain,
  updateMember: { body: () => ({ role: 'manager' }), usesUp: true },
  removeMember: plain,
  listInvitations: plain,
  createInvitation: {
    body: () => ({ email: `${randomBytes(5).toString('hex')}@example.com`, role: 'member' }),
  },
  revokeInvitation: plain,
  lookUpInvitation: { body: () => ({ token: 'nobody' }), letIn: SPENT },
  acceptInvitation: { body: () => ({ token: 'nobody' }), letIn: SPENT },

  listApiKeys: plain,
  createApiKey: { body: () => ({ name: name(), scopes: ['monitors:read'] }) },
  revokeApiKey: plain,
  getActivityTable: plain,
  getIncidentTable: plain,
  listActivity: plain,

  listProjects: plain,
  createProject: { body: () => ({ name: name() }) },
  renameProject: { body: () => ({ name: name() }) },
  deleteProject: { params: ({ emptyProjectId }) => ({ project_id: emptyProjectId }) },

  ...NEWCOMER_SAMPLES,
  listAlertProfiles: plain,
  createAlertProfile: { body: () => ({ name: name(), alarm_consecutive: 3 }) },
  updateAlertProfile: { body: () => ({ name: name() }) },
  deleteAlertProfile: plain,
  getAlarmStandard: plain,
  putAlarmStandard: { body: () => ({ min_regions: 1 }) },
  listChecks: plain,
  getCheck: plain,
  ...FIGURE_SAMPLES,
  listReportSubscriptions: plain,
  subscribeToReport: { body: () => ({ timezone: 'Europe/Berlin' }) },
  unsubscribeFromReport: { letIn: { status: 404, because: 'the caller has no such subscription' } },
  listRecentChecks: plain,
  getHeartbeat: { letIn: { status: 404, because: 'the monitor of the scene is of another type' } },
  listRegionStatuses: plain,
  replayPolicy: {
    body: () => ({ policy: { alarm_consecutive: 3 } }),
    unrecorded: 'it changes nothing: stored checks are read once more',
  },
  listMonitorIncidents: plain,

  listIncidents: plain,
  getIncident: plain,
  acknowledgeIncident: { usesUp: true },
  resolveIncident: { usesUp: true },
  listIncidentTimeline: plain,
  getOnCallSettings: plain,
  putOnCallSettings: { body: () => ({ enabled: true, timezone: 'Europe/Berlin' }) },
  getOnCallRoster: plain,
  putOnCallRoster: { body: ({ ids }) => ({ members: [{ position: 0, user_id: ids.user_id }] }) },
  getOnCallDuty: plain,
  listOnCallShifts: { query: 'weeks=2' },
  previewAlarmChain: plain,
  getAlarmPlan: plain,
  getMonitorAlarmPlan: plain,
  listOnCallOverrides: plain,
  createOnCallOverride: {
    body: ({ ids }) => ({
      user_id: ids.user_id,
      starts_at_unix: 4_000_000_000,
      ends_at_unix: 4_000_003_600,
    }),
    forSomebodyElse: true,
  },
  getOnCallCalendar: plain,
  createOnCallCalendar: { body: () => ({ shifts: 'mine' }) },
  deleteOnCallCalendar: { unrecorded: 'the caller has none' },
  readOnCallCalendar: { params: () => ({ token: 'nobody' }), letIn: SPENT },
  deleteOnCallOverride: { forSomebodyElse: true },
  listFireDrills: plain,
  startFireDrill: {
    body: () => ({}),
    letIn: { status: 409, because: 'a drill of the scene is running, and there is one at a time' },
    unrecorded: 'nothing was started',
  },
  getFireDrill: plain,
  acknowledgeFireDrill: { usesUp: true },
  stopFireDrill: { usesUp: true },
  confirmFireDrillRings: { unrecorded: 'only the record of the drill says so' },
  listRingingAlarms: plain,
  createIncident: {
    body: ({ ids }) => ({ monitor_id: ids.monitor_id, severity: 'critical', cause: 'Nobody can pay' }),
  },
  discardIncident: {
    usesUp: true,
    params: ({ closedIncidentId }) => ({ incident_id: closedIncidentId }),
    body: () => ({}),
  },
  restoreIncident: {
    usesUp: true,
    params: ({ discardedIncidentId }) => ({ incident_id: discardedIncidentId }),
    body: () => ({ reason: 'It was none' }),
  },
  holdIncident: { body: () => ({ seconds: 600 }) },
  createIncidentNote: { body: () => ({ body: name(), kind: 'note', visibility: 'internal' }) },
  listIncidentNotes: plain,
  getPostmortem: plain,
  putPostmortem: { body: () => ({ title: name() }) },
  publishPostmortem: { usesUp: true },
  listIncidentStatusPages: plain,
  linkIncidentToStatusPage: { usesUp: true },
  unlinkIncidentFromStatusPage: {
    params: ({ linkedPageId }) => ({ status_page_id: linkedPageId }),
  },
  listStatusPages: plain,
  createStatusPage: { body: () => ({ name: name() }) },
  getStatusPage: plain,
  updateStatusPage: { body: () => ({ name: name(), enabled: true, public_viewable: false }) },
  setStatusPageMonitors: { body: ({ ids }) => ({ monitors: [{ monitor_id: ids.monitor_id }] }) },
  previewStatusPage: { body: () => ({ settings: { name: name() } }), unrecorded: 'nothing is stored' },
  setStatusPageSharedPassword: { body: () => ({ password: 'correct horse battery' }) },
  rotateStatusPageSharedPassword: plain,
  removeStatusPageSharedPassword: plain,
  getStatusPageLogo: plain,
  getStatusPageLogoDark: plain,
  setStatusPageLogo: { body: () => LOGO },
  setStatusPageLogoDark: { body: () => LOGO },
  deleteStatusPageLogo: plain,
  deleteStatusPageLogoDark: plain,
  listStatusPageViewers: plain,
  createStatusPageViewer: {
    body: () => ({
      username: name(),
      email: `v${randomBytes(5).toString('hex')}@example.org`,
      password: 'correct horse battery',
    }),
  },
  deleteStatusPageViewer: plain,
  listStatusPageDomains: plain,
  addStatusPageDomain: { body: () => ({ domain: `${randomBytes(6).toString('hex')}.example.org` }) },
  verifyStatusPageDomain: plain,
  removeStatusPageDomain: plain,
  listStatusPageSubscribers: plain,
  deleteStatusPageSubscriber: plain,
  archiveStatusPage: plain,

  getPublicStatusPage: plain,
  getPublicStatusPageSummary: plain,
  getPublicStatusPageBadge: plain,
  getPublicStatusPageRss: plain,
  getPublicStatusPageAtom: plain,
  getPublicStatusPageMaintenance: plain,
  getPublicStatusPageLogo: plain,
  getPublicStatusPageLogoDark: plain,
  getPublicStatusPageWidget: plain,
  subscribeToStatusPage: {
    body: () => ({ email: `s${randomBytes(5).toString('hex')}@example.org` }),
    letIn: { status: 404, because: 'no mail can be sent in the scene: there is nothing to subscribe to' },
  },
  leaveStatusPage: plain,
  unlockStatusPage: { body: () => ({ password: PASSWORD }), letIn: UNLOCKED },
  logInToStatusPage: { body: () => ({ username: 'vera', password: PASSWORD }), letIn: UNLOCKED },

  listMaintenanceWindows: plain,
  createMaintenanceWindow: {
    body: ({ ids }) => ({
      title: name(),
      scheduled_start: 4_000_000_000,
      scheduled_end: 4_000_003_600,
      monitors: [ids.monitor_id],
    }),
  },
  updateMaintenanceWindow: { body: () => ({ title: name() }) },
  deleteMaintenanceWindow: plain,
  cancelMaintenanceWindow: { usesUp: true },

  listWebhookTargets: plain,
  createWebhookTarget: {
    body: () => ({ name: name(), kind: 'webhook', url: 'http://127.0.0.1:9/x', events: ['opened'] }),
  },
  updateWebhookTarget: { body: () => ({ name: name() }) },
  deleteWebhookTarget: plain,
  testWebhookTarget: plain,
  rotateWebhookSecret: plain,
  listWebhookDeliveries: plain,
  getWebhookDelivery: plain,
  replayWebhookDelivery: plain,

  listRegions: plain,
  streamOrganizationEvents: plain,

  listAllOrganizations: plain,
  setOrganizationPlan: { body: () => ({ plan: 'business' }) },
  listPlans: plain,
  examineInstallation: { unrecorded: 'nothing is changed' },
  listTroubles: plain,
  getBlindSpots: plain,
  listAdministeredRegions: plain,
  createRegion: { body: () => ({ slug: `region-${randomBytes(5).toString('hex')}`, name: name() }) },
  updateRegion: { body: () => ({ name: name() }) },
  createProbeToken: { body: () => ({ max_probes: 2 }) },
  revokeProbeToken: plain,
  updateProbe: { body: () => ({ admission: 'refused' }) },
  removeProbe: plain,

  ...MONITOR_SAMPLES,
  ...AGENT_SAMPLES,
  ...OVERVIEW_SAMPLES,

  getProbeAssignments: { query: 'wait=0' },
  leaveProbe: { body: () => ({ probe_id: 'rights' }) },
  postProbeTestResult: {
    body: () => ({ probe_id: 'rights', test_id: 'nobody', observed: { status: 'up' }, judgements: [] }),
  },
  postProbeCapsule: {
    body: () => ({
      probe_id: 'rights',
      capsule_id: 'nobody',
      capsule: {
        ...{ took_ms: 0, private: false, withheld: false, host: 'shop.example.com', left_out: [] },
        ...{ dns: null, connections: null, tls: null, route: null, response: null },
      },
    }),
  },
  postProbeResults: { body: () => ({ probe_id: 'rights', results: [] }) },
};
