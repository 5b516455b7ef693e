// The reads that each write makes stale: one line for each operation that the dashboard writes with. Ids, not operations:
// the first page loads this table, but contracts are loaded with the pages that use them.

const PUSH = [
  'push-state',
  'listPushSubscriptions',
  'getAlarmPlan',
  'getMonitorAlarmPlan',
  'getFirstSteps',
] as const;
const DRILLS = ['listFireDrills', 'getFireDrill', 'getFirstSteps'] as const;
const INCIDENT = [
  'listIncidents',
  'listMonitorIncidents',
  'listIncidentTimeline',
  'listIncidentNotes',
  'getMonitorAnnotations',
] as const;
const ALARM = [...INCIDENT, 'listRingingAlarms'] as const;
const FIGURES = [...INCIDENT, 'getMonitorSeries', 'listMonitorFigures', 'getMonitorHoursOfWeek'] as const;
const WINDOWS = ['listMaintenanceWindows', 'getMonitorAnnotations', 'getMonitorHoursOfWeek'] as const;
const PEOPLE = ['listMembers', 'listInvitations', 'listApiKeys', 'getOrganizationPlan'] as const;
const ON_CALL = [
  'getOnCallDuty',
  'getOnCallSettings',
  'getOnCallRoster',
  'listOnCallShifts',
  'listOnCallOverrides',
  'previewAlarmChain',
  'getAlarmPlan',
  'getMonitorAlarmPlan',
  'getFirstSteps',
] as const;
// Forms of monitors offer the regions too.
const REGIONS = ['listAdministeredRegions', 'listRegions'] as const;
const TARGETS = [
  'listWebhookTargets',
  'listWebhookDeliveries',
  'previewAlarmChain',
  'getAlarmPlan',
  'getMonitorAlarmPlan',
  'getFirstSteps',
] as const;
const PAGES = ['listStatusPages', 'getStatusPage'] as const;
const DOMAINS = ['listStatusPageDomains'] as const;
const MONITORS = ['listMonitors', 'listAllMonitors', 'getFirstSteps'] as const;
const HOSTS = ['listAgents', 'getAgent'] as const;
const LOGOS = ['getStatusPage', 'getStatusPageLogo', 'getStatusPageLogoDark'] as const;
const SECOND_STEP = ['getMe', 'session', 'sessions'] as const;
const PASSKEYS = ['passkeys', 'getMe'] as const;

/** From the operation id, or the path of the sign-in library, to the first elements of the stale query keys. */
export const STALE_AFTER = {
  // Signing in or out clears the whole cache (session.ts), so nothing can be stale.
  completeSetup: [],
  confirmSignUp: [],
  acceptInvitation: [],
  deleteMe: [],
  '/auth/sign-in/email': [],
  '/auth/sign-in/oauth2': [],
  '/auth/sign-up/email': [],
  '/auth/sign-out': [],
  '/auth/two-factor/verify-backup-code': [],
  '/auth/passkey/verify-authentication': [],
  '/auth/reset-password': [],

  // The account. The sign-in library renews the session when the second step is turned on or off.
  '/auth/request-password-reset': [],
  reauthenticate: [],
  updateMe: ['getMe', 'session'],
  readFirstProof: ['getMe'],
  '/auth/change-password': ['session', 'sessions'],
  '/auth/two-factor/enable': [],
  '/auth/two-factor/verify-totp': SECOND_STEP,
  '/auth/two-factor/disable': SECOND_STEP,
  '/auth/two-factor/generate-backup-codes': [],
  '/auth/passkey/verify-registration': PASSKEYS,
  '/auth/passkey/update-passkey': PASSKEYS,
  '/auth/passkey/delete-passkey': PASSKEYS,
  '/auth/revoke-session': ['sessions'],
  '/auth/revoke-other-sessions': ['sessions'],
  createPushSubscription: PUSH,
  deletePushSubscription: PUSH,
  testPushSubscription: PUSH,

  // Organizations, their members and their projects.
  createOrganization: ['listMyOrganizations'],
  renameOrganization: ['listMyOrganizations'],
  subscribeToReport: ['listReportSubscriptions'],
  unsubscribeFromReport: ['listReportSubscriptions'],
  deleteOrganization: ['listMyOrganizations'],
  createInvitation: PEOPLE,
  revokeInvitation: PEOPLE,
  updateMember: ['listMembers', 'listMyOrganizations'],
  removeMember: [...PEOPLE, 'listMyOrganizations'],
  createWallLink: ['listWallLinks'],
  revokeWallLink: ['listWallLinks'],
  createApiKey: ['listApiKeys'],
  revokeApiKey: ['listApiKeys'],
  createProject: ['listProjects'],
  renameProject: ['listProjects'],
  deleteProject: ['listProjects'],
  // A file may contain any of these.
  importConfiguration: [
    'listProjects',
    'listAlertProfiles',
    'getAlarmStandard',
    'getOrganizationPlan',
    ...MONITORS,
    ...HOSTS,
    ...TARGETS,
    ...WINDOWS,
    ...ON_CALL,
    ...PAGES,
  ],

  // Monitors and their alarm policies.
  createMonitor: [...MONITORS, ...HOSTS],
  createMonitors: [...MONITORS, ...HOSTS],
  cloneMonitor: [...MONITORS, ...HOSTS],
  updateMonitor: [...MONITORS, 'listRegionStatuses', 'getMonitorAlarmPlan', ...HOSTS],
  deleteMonitor: [...MONITORS, ...PAGES, ...HOSTS],
  changeMonitors: [
    ...MONITORS,
    'getMonitor',
    'listRegionStatuses',
    'getMonitorAlarmPlan',
    ...ALARM,
    ...PAGES,
    ...HOSTS,
  ],
  startExampleOutage: ['getExampleOutage', ...MONITORS],
  removeExampleOutage: ['getExampleOutage', 'listRingingAlarms', 'listIncidents', ...MONITORS],
  hideFirstSteps: ['getFirstSteps'],
  testMonitor: [],
  createMonitorView: ['listMonitorViews'],
  updateMonitorView: ['listMonitorViews'],
  deleteMonitorView: ['listMonitorViews'],
  proposeMonitors: [],
  announceChange: ['getMonitorAnnotations'],
  createAlertProfile: ['listAlertProfiles'],
  updateAlertProfile: ['listAlertProfiles'],
  deleteAlertProfile: ['listAlertProfiles', ...MONITORS],
  putAlarmStandard: ['getAlarmStandard'],
  // A window that starts now affects its monitors at once.
  createMaintenanceWindow: [...WINDOWS, 'getMonitor', 'getMonitorAlarmPlan'],
  updateMaintenanceWindow: WINDOWS,
  cancelMaintenanceWindow: WINDOWS,
  deleteMaintenanceWindow: WINDOWS,

  // Hosts. The reply is the updated host; monitors of a removed host are disabled.
  createEnrollmentToken: ['listEnrollmentTokens'],
  revokeEnrollmentToken: ['listEnrollmentTokens'],
  updateAgent: HOSTS,
  upgradeAgent: HOSTS,
  // Deleted resources are not refetched.
  removeAgent: ['listAgents', ...MONITORS, 'getMonitor'],

  // Incidents. The reply is the updated incident, which the page stores.
  createIncident: ['listIncidents', 'listMonitorIncidents'],
  acknowledgeIncident: ALARM,
  resolveIncident: ALARM,
  holdIncident: ALARM,
  discardIncident: FIGURES,
  restoreIncident: FIGURES,
  createIncidentNote: ['listIncidentNotes', 'listIncidentTimeline'],
  putPostmortem: [],
  publishPostmortem: ['listIncidentTimeline'],
  // Status pages. The reply is the updated page, which the editor stores.
  createStatusPage: ['listStatusPages'],
  updateStatusPage: PAGES,
  setStatusPageMonitors: PAGES,
  archiveStatusPage: ['listStatusPages', 'listIncidentStatusPages'],
  setStatusPageSharedPassword: PAGES,
  rotateStatusPageSharedPassword: PAGES,
  removeStatusPageSharedPassword: PAGES,
  setStatusPageLogo: LOGOS,
  // Deleted resources are not refetched.
  deleteStatusPageLogo: ['getStatusPage'],
  setStatusPageLogoDark: LOGOS,
  deleteStatusPageLogoDark: ['getStatusPage'],
  createStatusPageViewer: ['listStatusPageViewers'],
  deleteStatusPageViewer: ['listStatusPageViewers'],
  deleteStatusPageSubscriber: ['listStatusPageSubscribers'],
  addStatusPageDomain: DOMAINS,
  verifyStatusPageDomain: DOMAINS,
  removeStatusPageDomain: DOMAINS,
  linkIncidentToStatusPage: ['listIncidentStatusPages', 'listIncidentTimeline'],
  unlinkIncidentFromStatusPage: ['listIncidentStatusPages', 'listIncidentTimeline'],

  // Notification targets.
  putOnCallRoster: ON_CALL,
  putOnCallSettings: ON_CALL,
  createOnCallOverride: ON_CALL,
  deleteOnCallOverride: ON_CALL,
  createOnCallCalendar: ['getOnCallCalendar'],
  deleteOnCallCalendar: ['getOnCallCalendar'],
  startFireDrill: DRILLS,
  acknowledgeFireDrill: DRILLS,
  stopFireDrill: DRILLS,
  confirmFireDrillRings: DRILLS,
  createWebhookTarget: TARGETS,
  updateWebhookTarget: TARGETS,
  deleteWebhookTarget: TARGETS,
  rotateWebhookSecret: TARGETS,
  testWebhookTarget: TARGETS,
  replayWebhookDelivery: TARGETS,

  // The operator's writes.
  examineInstallation: [],
  setOrganizationPlan: ['listAllOrganizations', 'getOrganizationPlan'],
  createRegion: REGIONS,
  updateRegion: REGIONS,
  createProbeToken: REGIONS,
  revokeProbeToken: REGIONS,
  updateProbe: REGIONS,
  removeProbe: REGIONS,
} as const satisfies Record<string, readonly string[]>;
