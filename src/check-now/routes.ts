import { type Route, raw } from '../platform/http/route.ts';
import type { CheckNow } from './check-now.ts';
import { testMonitor } from './contract.ts';
import { proposeMonitors } from './propose/contract.ts';

export const checkNowRoutes = (tests: CheckNow): Route[] => [
  raw(testMonitor, (call) => tests.test(call)),
  raw(proposeMonitors, (call) => tests.propose(call)),
];
