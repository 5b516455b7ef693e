// Every address of the dashboard. Pages are loaded when they are first opened.

import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { ownPath } from './pages/accounts/own-path.ts';
import { readActivitySearch } from './pages/activity/search.ts';
import { OFFERED_TYPES, type OfferedType } from './pages/monitors/type-groups.ts';
import { Home } from './pages/organizations/Home.tsx';
import { queryClient } from './read.ts';
import { sessionQuery } from './session.ts';
import { Crash } from './shell/Crash.tsx';
import { ManagersOnly } from './shell/ManagersOnly.tsx';
import { NotFound } from './shell/NotFound.tsx';
import { Root } from './shell/Root.tsx';
import { SettingsFrame } from './shell/SettingsFrame.tsx';
import { Shell } from './shell/Shell.tsx';

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * Only our own pages: an address handed in from outside must not lead away after signing in. It is named also when it
 * is refused: what validation leaves out stays in the search as it came.
 */
function backOf(search: Record<string, unknown>): { back?: string } {
  return { back: ownPath(search.back) };
}

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: NotFound,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { back?: string; error?: string } => ({
    ...backOf(search),
    error: text(search.error),
  }),
  component: lazyRouteComponent(() => import('./pages/accounts/SignInPage.tsx')),
});

const secondStep = createRoute({
  getParentRoute: () => root,
  path: '/second-step',
  validateSearch: backOf,
  component: lazyRouteComponent(() => import('./pages/accounts/SecondStepPage.tsx')),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: lazyRouteComponent(() => import('./pages/accounts/ForgotPasswordPage.tsx')),
});

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  component: lazyRouteComponent(() => import('./pages/accounts/NewPasswordPage.tsx')),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyRouteComponent(() => import('./pages/accounts/InvitationPage.tsx')),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: lazyRouteComponent(() => import('./pages/accounts/SignUpPage.tsx')),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  validateSearch: (search: Record<string, unknown>): { token?: string } => {
    const token = text(search.token) ?? (typeof search.token === 'number' ? String(search.token) : undefined);
    return token === undefined ? {} : { token };
  },
  component: lazyRouteComponent(() => import('./pages/accounts/SetupPage.tsx')),
});

/** Everything below needs a session; without one the way leads over the sign-in page and back. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  beforeLoad: async ({ location, context }) => {
    // A server that is away is not a lost session: the page's own reads then say so and offer to retry.
    const session = await context.queryClient.ensureQueryData(sessionQuery).catch(() => undefined);
    if (session === null) {
      throw redirect({
        to: '/sign-in',
        search: location.pathname === '/' ? {} : backOf({ back: location.href }),
      });
    }
  },
});

const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: Home });

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: lazyRouteComponent(() => import('./pages/accounts/AccountPage.tsx')),
});

const operator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  component: lazyRouteComponent(() => import('./pages/operator/OperatorPage.tsx')),
});

const regions = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator/regions',
  component: lazyRouteComponent(() => import('./pages/operator/regions/RegionsPage.tsx')),
});

const region = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator/regions/$slug',
  component: lazyRouteComponent(() => import('./pages/operator/regions/RegionPage.tsx')),
});

const organization = createRoute({ getParentRoute: () => signedIn, path: '/o/$orgId', component: Shell });

const organizationHome = createRoute({
  getParentRoute: () => organization,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$orgId/monitors', params });
  },
});

const monitors = createRoute({
  getParentRoute: () => organization,
  path: '/monitors',
  validateSearch: (search: Record<string, unknown>): { project?: string } => {
    const project = text(search.project);
    return project === undefined ? {} : { project };
  },
  component: lazyRouteComponent(() => import('./pages/monitors/MonitorsPage.tsx')),
});

const managing = createRoute({ getParentRoute: () => organization, id: 'managing', component: ManagersOnly });

const newMonitor = createRoute({
  getParentRoute: () => managing,
  path: '/monitors/new',
  validateSearch: (search: Record<string, unknown>): { type?: OfferedType } => {
    const type = OFFERED_TYPES.find((each) => each === search.type);
    return type === undefined ? {} : { type };
  },
  component: lazyRouteComponent(() => import('./pages/monitors/NewMonitorPage.tsx')),
});

const monitor = createRoute({
  getParentRoute: () => organization,
  path: '/monitors/$monitorId',
  component: lazyRouteComponent(() => import('./pages/monitors/MonitorPage.tsx')),
});

const editMonitor = createRoute({
  getParentRoute: () => managing,
  path: '/monitors/$monitorId/edit',
  component: lazyRouteComponent(() => import('./pages/monitors/EditMonitorPage.tsx')),
});

const incidents = createRoute({
  getParentRoute: () => organization,
  path: '/incidents',
  validateSearch: (search: Record<string, unknown>): { status?: 'closed' | 'all' } =>
    search.status === 'closed' || search.status === 'all' ? { status: search.status } : {},
  component: lazyRouteComponent(() => import('./pages/incidents/IncidentsPage.tsx')),
});

const incident = createRoute({
  getParentRoute: () => organization,
  path: '/incidents/$incidentId',
  component: lazyRouteComponent(() => import('./pages/incidents/IncidentPage.tsx')),
});

const webhooks = createRoute({
  getParentRoute: () => managing,
  path: '/notifications',
  component: lazyRouteComponent(() => import('./pages/webhooks/WebhooksPage.tsx')),
});

const webhook = createRoute({
  getParentRoute: () => managing,
  path: '/notifications/$targetId',
  component: lazyRouteComponent(() => import('./pages/webhooks/WebhookPage.tsx')),
});

const projects = createRoute({
  getParentRoute: () => organization,
  path: '/projects',
  component: lazyRouteComponent(() => import('./pages/projects/ProjectsPage.tsx')),
});

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
  component: lazyRouteComponent(() => import('./pages/organizations/GeneralPage.tsx')),
});

const members = createRoute({
  getParentRoute: () => settings,
  path: '/members',
  component: lazyRouteComponent(() => import('./pages/members/MembersPage.tsx')),
});

const apiKeys = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys',
  component: lazyRouteComponent(() => import('./pages/api-keys/ApiKeysPage.tsx')),
});

const newApiKey = createRoute({
  getParentRoute: () => settings,
  path: '/api-keys/new',
  component: lazyRouteComponent(() => import('./pages/api-keys/NewApiKeyPage.tsx')),
});

const alarmPolicy = createRoute({
  getParentRoute: () => settings,
  path: '/alarm-policy',
  component: lazyRouteComponent(() => import('./pages/alarm-policy/AlarmPolicyPage.tsx')),
});

const alarmStandard = createRoute({
  getParentRoute: () => settings,
  path: '/alarm-policy/standard',
  component: lazyRouteComponent(() => import('./pages/alarm-policy/StandardPage.tsx')),
});

const managingSettings = createRoute({
  getParentRoute: () => settings,
  id: 'managing',
  component: ManagersOnly,
});

const newAlertProfile = createRoute({
  getParentRoute: () => managingSettings,
  path: '/alarm-policy/profiles/new',
  component: lazyRouteComponent(() => import('./pages/alarm-policy/NewProfilePage.tsx')),
});

const alertProfile = createRoute({
  getParentRoute: () => managingSettings,
  path: '/alarm-policy/profiles/$profileId',
  component: lazyRouteComponent(() => import('./pages/alarm-policy/ProfilePage.tsx')),
});

const plan = createRoute({
  getParentRoute: () => settings,
  path: '/plan',
  component: lazyRouteComponent(() => import('./pages/plan/PlanPage.tsx')),
});

const activity = createRoute({
  getParentRoute: () => settings,
  path: '/activity',
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(() => import('./pages/activity/ActivityPage.tsx')),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    secondStep,
    forgotPassword,
    newPassword,
    signUp,
    setup,
    invitation,
    signedIn.addChildren([
      home,
      account,
      operator,
      regions,
      region,
      organization.addChildren([
        organizationHome,
        monitors,
        monitor,
        incidents,
        incident,
        projects,
        settings.addChildren([
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
        ]),
        managing.addChildren([newMonitor, editMonitor, webhooks, webhook]),
      ]),
    ]),
  ]),
  basepath: '/app',
  context: { queryClient },
  scrollRestoration: true,
  defaultErrorComponent: Crash,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The address of whoever is about to sign in, where it is known. */
    email?: string;
    /** What has just gone well, said on the sign-in page. */
    note?: 'new_password' | 'deleted';
  }
}
