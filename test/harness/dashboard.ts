// The dashboard for a browser: the application in the test's own process, by the clock of the machine, with its built pages.
// Tests of the start, the first user or a real probe start an installation instead (installation.ts).
import assert from 'node:assert/strict';
import { readyDashboard } from '#src/supervise/dashboard.ts';
import { realClock, startTestApp, type TestApp } from './app.ts';
import type { AppOptions } from './app-options.ts';
import { type BrowserKind, openBrowser, type TestBrowser } from './browser.ts';
import type { Client } from './client.ts';
import { silent } from './cluster.ts';
import { closeAfterTests } from './database.ts';
import { closedPort } from './listeners.ts';

export type Dashboard = {
  url: string;
  app: TestApp;
  /** The admin of the first start, signed in; the operator. */
  admin: Client;
  /** Their organization, and its path in the interface. */
  orgId: string;
  orgPath: string;
  browser: TestBrowser;
  /** The token of a probe of the region `local`; none runs unless a test starts one. */
  probeToken: string;
};

let port: Promise<number> | undefined;
let isPortInUse = false;

/**
 * The port of this process's dashboards, one after the other: at an address that it knows, the browser has the scripts already, and
 * their compiled code. Any other while one is served there.
 */
async function portOfDashboards(stack: AsyncDisposableStack): Promise<string> {
  if (isPortInUse) return '0';
  isPortInUse = true;
  stack.defer(() => {
    isPortInUse = false;
  });
  port ??= closedPort();
  return String(await port);
}

/** Serves the dashboard and opens a browser; both end with `stack`. */
export async function startDashboard(
  stack: AsyncDisposableStack,
  env: Record<string, string> = {},
  { browserKind = 'quick', ...options }: Pick<AppOptions, 'readDisk'> & { browserKind?: BrowserKind } = {},
): Promise<Dashboard> {
  const dashboardDir = await readyDashboard(silent, new AbortController().signal);
  assert.ok(dashboardDir, 'the dashboard cannot be built');
  const PORT = env.PORT ?? (await portOfDashboards(stack));
  const app = stack.use(
    await startTestApp({ env: { ...env, PORT }, clock: realClock, dashboardDir, ...options }),
  );
  const browser = await openBrowser(browserKind);
  stack.defer(() => browser.close());
  const { orgId } = app.home;
  const { localProbeToken } = app.app;
  const orgPath = `/organizations/${orgId}`;
  return { url: app.url, app, admin: app.alice, orgId, orgPath, browser, probeToken: localProbeToken ?? '' };
}

/** One dashboard for all tests of a file: `before(async () => { dashboard = await startDashboardOfFile(); })`. */
export async function startDashboardOfFile(): Promise<Dashboard> {
  const stack = new AsyncDisposableStack();
  closeAfterTests(() => stack.disposeAsync());
  return startDashboard(stack);
}
