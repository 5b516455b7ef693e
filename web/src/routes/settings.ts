// The settings of an organization: one route for each section.
import { createRoute, redirect } from '@tanstack/react-router';
import { page } from '../page-code.ts';
import { readActivitySearch } from '../pages/activity/search.ts';
import { ManagersOnly } from '../shell/ManagersOnly.tsx';
import { SettingsFrame } from '../shell/SettingsFrame.tsx';
import { organization } from './parents.ts';
import { onlyFrom } from './search.ts';

const settings = createRoute({
  getParentRoute: () => organization,
  path: '/settings',
  component: SettingsFrame,
});

const settingsHome = createRoute({
  getParentRoute: () => settings,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$orgId/settings/general', params });
  },
});

const general = createRoute({
  getParentRoute: () => settings,
  path: '/general',
  component: page(() => import('../pages/organizations/GeneralPage.tsx')),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: page(() => import('../pages/members/MembersPage.tsx')),
});

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  component: page(() => import('../pages/api-keys/ApiKeysPage.tsx')),
});

const newApiKey = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys/new',
  component: page(() => import('../pages/api-keys/NewApiKeyPage.tsx')),
});

const alarmPolicy = createRoute({
  getParentRoute: () => settings,
  path: '/alarm-policy',
  component: page(() => import('../pages/alarm-policy/AlarmPolicyPage.tsx')),
});

const alarmStandard = createRoute({
  getParentRoute: () => settings,
  path: '/alarm-policy/standard',
  component: page(() => import('../pages/alarm-policy/StandardPage.tsx')),
});

const managingSettings = createRoute({
  getParentRoute: () => settings,
  id: 'managing',
  component: ManagersOnly,
});

const newAlertProfile = createRoute({
  getParentRoute: () => managingSettings,
  path: '/alarm-policy/profiles/new',
  component: page(() => import('../pages/alarm-policy/NewProfilePage.tsx')),
});

const alertProfile = createRoute({
  getParentRoute: () => managingSettings,
  path: '/alarm-policy/profiles/$profileId',
  component: page(() => import('../pages/alarm-policy/ProfilePage.tsx')),
});

const plan = createRoute({
  getParentRoute: () => settings,
  path: '/plan',
  component: page(() => import('../pages/plan/PlanPage.tsx')),
});

const activity = createRoute({
  getParentRoute: () => settings,
  path: '/activity',
  validateSearch: onlyFrom(readActivitySearch),
  component: page(() => import('../pages/activity/ActivityPage.tsx')),
});

const transfer = createRoute({
  getParentRoute: () => settings,
  path: '/transfer',
  component: page(() => import('../pages/organizations/transfer/TransferPage.tsx')),
});

export const settingsTree = settings.addChildren([
  settingsHome,
  general,
  members,
  apiKeys,
  newApiKey,
  alarmPolicy,
  alarmStandard,
  managingSettings.addChildren([newAlertProfile, alertProfile]),
  plan,
  activity,
  transfer,
]);
