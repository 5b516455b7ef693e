// Every address of the dashboard. Pages are loaded when they are first opened.

import { createRoute, createRouter, redirect } from '@tanstack/react-router';
import { CHANNEL_NAMES, type ChannelName } from '#src/domain/names.ts';
import { page } from './page-code.ts';
import { readIncidentSearch } from './pages/incidents/list/search.ts';
import { readMaintenanceSearch } from './pages/maintenance/search.ts';
import { Home } from './pages/organizations/Home.tsx';
import { readReportSearch } from './pages/reports/search.ts';
import { queryClient } from './read.ts';
import { hostRoutes } from './routes/hosts.ts';
import { managedMonitorRoutes, monitorRoutes } from './routes/monitors.ts';
import { onCallRoutes } from './routes/on-call.ts';
import { backPathOf, managementRoute, organization, root, signedIn, text } from './routes/parents.ts';
import { onlyFrom } from './routes/search.ts';
import { settingsTree } from './routes/settings.ts';
import { newStatusPage, statusPageRoutes } from './routes/status-pages.ts';
import { Crash } from './shell/Crash.tsx';
import { LoadingRows } from './ui/LoadingRows.tsx';

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): { back?: string; error?: string } => ({
    ...backPathOf(search),
    error: text(search.error),
  }),
  component: page(() => import('./pages/accounts/SignInPage.tsx')),
});

const secondStep = createRoute({
  getParentRoute: () => root,
  path: '/second-step',
  validateSearch: backPathOf,
  component: page(() => import('./pages/accounts/SecondStepPage.tsx')),
});

const forgotPassword = createRoute({
  getParentRoute: () => root,
  path: '/forgot-password',
  component: page(() => import('./pages/accounts/ForgotPasswordPage.tsx')),
});

const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  component: page(() => import('./pages/accounts/NewPasswordPage.tsx')),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: page(() => import('./pages/accounts/InvitationPage.tsx')),
});

const signUp = createRoute({
  getParentRoute: () => root,
  path: '/sign-up',
  component: page(() => import('./pages/accounts/SignUpPage.tsx')),
});

const confirmSignUp = createRoute({
  getParentRoute: () => root,
  path: '/confirm-sign-up',
  component: page(() => import('./pages/accounts/ConfirmSignUpPage.tsx')),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: '/setup',
  validateSearch: onlyFrom((search: Record<string, unknown>): { token?: string } => {
    const token = text(search.token) ?? (typeof search.token === 'number' ? String(search.token) : undefined);
    return token === undefined ? {} : { token };
  }),
  component: page(() => import('./pages/accounts/SetupPage.tsx')),
});

const home = createRoute({ getParentRoute: () => signedIn, path: '/', component: Home });

const account = createRoute({
  getParentRoute: () => signedIn,
  path: '/account',
  component: page(() => import('./pages/accounts/AccountPage.tsx')),
});

const operator = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator',
  component: page(() => import('./pages/operator/OperatorPage.tsx')),
});

const regions = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator/regions',
  component: page(() => import('./pages/operator/regions/RegionsPage.tsx')),
});

const region = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator/regions/$slug',
  component: page(() => import('./pages/operator/regions/RegionPage.tsx')),
});

const doctor = createRoute({
  getParentRoute: () => signedIn,
  path: '/operator/doctor',
  component: page(() => import('./pages/operator/doctor/DoctorPage.tsx')),
});

const organizationHome = createRoute({
  getParentRoute: () => organization,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/o/$orgId/overview', params });
  },
});

const overview = createRoute({
  getParentRoute: () => organization,
  path: '/overview',
  component: page(() => import('./pages/overview/OverviewPage.tsx')),
});

const wallLinks = createRoute({
  getParentRoute: () => managementRoute,
  path: '/overview/wall',
  component: page(() => import('./pages/overview/wall-links/WallLinksPage.tsx')),
});

/** For everybody with its link: a wall needs no sign-in. */
const wall = createRoute({
  getParentRoute: () => root,
  path: '/wall',
  component: page(() => import('./pages/wall/WallPage.tsx')),
});

const incidents = createRoute({
  getParentRoute: () => organization,
  path: '/incidents',
  validateSearch: onlyFrom(readIncidentSearch),
  component: page(() => import('./pages/incidents/IncidentsPage.tsx')),
});

const newIncident = createRoute({
  getParentRoute: () => organization,
  path: '/incidents/new',
  validateSearch: onlyFrom((search: Record<string, unknown>): { monitor?: string } => {
    const monitor = text(search.monitor);
    return monitor === undefined ? {} : { monitor };
  }),
  component: page(() => import('./pages/incidents/declare/DeclarePage.tsx')),
});

const incident = createRoute({
  getParentRoute: () => organization,
  path: '/incidents/$incidentId',
  component: page(() => import('./pages/incidents/IncidentPage.tsx')),
});

const postmortem = createRoute({
  getParentRoute: () => organization,
  path: '/incidents/$incidentId/postmortem',
  component: page(() => import('./pages/incidents/postmortem/PostmortemPage.tsx')),
});

const maintenance = createRoute({
  getParentRoute: () => organization,
  path: '/maintenance',
  validateSearch: onlyFrom(readMaintenanceSearch),
  component: page(() => import('./pages/maintenance/MaintenancePage.tsx')),
});

const newMaintenance = createRoute({
  getParentRoute: () => managementRoute,
  path: '/maintenance/new',
  component: page(() => import('./pages/maintenance/NewWindowPage.tsx')),
});

const maintenanceWindow = createRoute({
  getParentRoute: () => organization,
  path: '/maintenance/$windowId',
  component: page(() => import('./pages/maintenance/WindowPage.tsx')),
});

const editMaintenance = createRoute({
  getParentRoute: () => managementRoute,
  path: '/maintenance/$windowId/edit',
  component: page(() => import('./pages/maintenance/EditWindowPage.tsx')),
});

const webhooks = createRoute({
  getParentRoute: () => managementRoute,
  path: '/notifications',
  component: page(() => import('./pages/notifications/NotificationsPage.tsx')),
});

const newWebhook = createRoute({
  getParentRoute: () => managementRoute,
  path: '/notifications/new',
  validateSearch: onlyFrom((search: Record<string, unknown>): { kind?: ChannelName } => {
    const kind = CHANNEL_NAMES.find((each) => each === search.kind);
    return kind === undefined ? {} : { kind };
  }),
  component: page(() => import('./pages/notifications/NewTargetPage.tsx')),
});

const webhook = createRoute({
  getParentRoute: () => managementRoute,
  path: '/notifications/$targetId',
  component: page(() => import('./pages/notifications/TargetPage.tsx')),
});

const reports = createRoute({
  getParentRoute: () => organization,
  path: '/reports',
  validateSearch: onlyFrom(readReportSearch),
  component: page(() => import('./pages/reports/ReportsPage.tsx')),
});

const projects = createRoute({
  getParentRoute: () => organization,
  path: '/projects',
  component: page(() => import('./pages/projects/ProjectsPage.tsx')),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    secondStep,
    forgotPassword,
    newPassword,
    signUp,
    confirmSignUp,
    setup,
    wall,
    invitation,
    signedIn.addChildren([
      home,
      account,
      operator,
      regions,
      region,
      doctor,
      organization.addChildren([
        organizationHome,
        overview,
        ...monitorRoutes,
        incidents,
        newIncident,
        incident,
        postmortem,
        maintenance,
        maintenanceWindow,
        ...hostRoutes,
        ...onCallRoutes,
        ...statusPageRoutes,
        reports,
        projects,
        settingsTree,
        managementRoute.addChildren([
          ...managedMonitorRoutes,
          newMaintenance,
          editMaintenance,
          wallLinks,
          newStatusPage,
          webhooks,
          newWebhook,
          webhook,
        ]),
      ]),
    ]),
  ]),
  basepath: '/app',
  context: { queryClient },
  scrollRestoration: true,
  defaultErrorComponent: Crash,
  // While a page's code loads, show a placeholder instead of the previous page.
  defaultPendingComponent: LoadingRows,
  defaultPreload: 'intent',
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
  interface HistoryState {
    /** The address of the person who is about to sign in, if known. */
    email?: string;
    /** A success message, shown on the sign-in page. */
    note?: 'new_password' | 'deleted';
    /** The monitor that was just created, whose page says who is notified about it. */
    made?: string;
    /** The attempt to leave a page that led here (ui/use-leave.ts). */
    left?: number;
  }
}
