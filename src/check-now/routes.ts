import { type Route, raw } from '../platform/http/mount.ts';
import type { CheckNow } from './check-now.ts';
import { testMonitor } from './contract.ts';

export const checkNowRoutes = (tests: CheckNow): Route[] => [raw(testMonitor, (call) => tests.test(call))];
