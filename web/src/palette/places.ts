// Pages with a fixed address: for the palette, and for the keys after "g".
import {
  IconActivity,
  IconAlertSquare,
  IconBroadcast,
  IconBuilding,
  IconCalendarEvent,
  IconDeviceTv,
  IconFlame,
  IconFolders,
  IconHistory,
  IconKey,
  IconLayoutDashboard,
  IconList,
  IconPhoneCall,
  IconReportAnalytics,
  IconSend,
  IconServer,
  IconSettings,
  IconShieldCheck,
  IconStethoscope,
  IconTransfer,
  IconUpload,
  IconUser,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react';

/** Pages of an organization. `managed`, `administered`: only for people with that right. */
export const ORGANIZATION_PLACES = [
  { go: 'overview', to: '/o/$orgId/overview', text: 'overview.title', icon: IconLayoutDashboard },
  { go: 'monitors', to: '/o/$orgId/monitors', text: 'monitors.title', icon: IconActivity },
  { go: 'allMonitors', to: '/o/$orgId/monitors/all', text: 'allMonitors.title', icon: IconList },
  { go: 'incidents', to: '/o/$orgId/incidents', text: 'incidents.title', icon: IconAlertSquare },
  { go: 'onCall', to: '/o/$orgId/on-call', text: 'onCall.title', icon: IconPhoneCall },
  { to: '/o/$orgId/on-call/drills', text: 'drills.title', icon: IconFlame },
  { go: 'maintenance', to: '/o/$orgId/maintenance', text: 'maintenance.title', icon: IconCalendarEvent },
  { go: 'hosts', to: '/o/$orgId/hosts', text: 'hosts.title', icon: IconServer },
  { go: 'statusPages', to: '/o/$orgId/status-pages', text: 'statusPages.title', icon: IconBroadcast },
  { to: '/o/$orgId/overview/wall', text: 'wall.title', icon: IconDeviceTv, managed: true },
  { go: 'reports', to: '/o/$orgId/reports', text: 'reports.title', icon: IconReportAnalytics },
  {
    go: 'notifications',
    to: '/o/$orgId/notifications',
    text: 'targets.title',
    icon: IconSend,
    managed: true,
  },
  { to: '/o/$orgId/monitors/import', text: 'importing.title', icon: IconUpload, managed: true },
  { to: '/o/$orgId/projects', text: 'projects.title', icon: IconFolders },
  { go: 'settings', to: '/o/$orgId/settings/general', text: 'settings.title', icon: IconSettings },
  { to: '/o/$orgId/settings/members', text: 'members.title', icon: IconUsers },
  { to: '/o/$orgId/settings/api-keys', text: 'keys.title', icon: IconKey, administered: true },
  { to: '/o/$orgId/settings/alarm-policy', text: 'alarmPolicy.title', icon: IconShieldCheck },
  {
    to: '/o/$orgId/settings/alarm-policy/standard',
    text: 'alarmPolicy.standard.title',
    icon: IconShieldCheck,
  },
  { to: '/o/$orgId/settings/plan', text: 'plan.title', icon: IconBuilding },
  { to: '/o/$orgId/settings/activity', text: 'activity.title', icon: IconHistory, administered: true },
  { to: '/o/$orgId/settings/transfer', text: 'transfer.title', icon: IconTransfer, administered: true },
] as const;

/** Pages outside organizations. `operated`: only for the operator of the installation. */
export const GLOBAL_PLACES = [
  { go: 'account', to: '/account', text: 'security.title', icon: IconUser },
  { to: '/operator', text: 'operator.title', icon: IconBuilding, operated: true },
  { to: '/operator/regions', text: 'operatorRegions.title', icon: IconWorld, operated: true },
  { to: '/operator/doctor', text: 'doctor.title', icon: IconStethoscope, operated: true },
] as const;

/** Pages that create something; each is an action of the palette. */
export const CREATE_PLACES = [
  { to: '/o/$orgId/monitors/new', text: 'palette.newMonitor', icon: IconActivity, managed: true },
  { to: '/o/$orgId/maintenance/new', text: 'maintenance.plan', icon: IconCalendarEvent, managed: true },
  { to: '/o/$orgId/incidents/new', text: 'declare.title', icon: IconAlertSquare, acted: true },
  { to: '/o/$orgId/notifications/new', text: 'palette.newTarget', icon: IconSend, managed: true },
  { to: '/o/$orgId/status-pages/new', text: 'statusPages.new', icon: IconBroadcast, managed: true },
  {
    to: '/o/$orgId/settings/alarm-policy/profiles/new',
    text: 'palette.newProfile',
    icon: IconShieldCheck,
    managed: true,
  },
  { to: '/o/$orgId/settings/api-keys/new', text: 'keys.new', icon: IconKey, administered: true },
] as const;
