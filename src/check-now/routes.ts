import { type Route, raw } from '../platform/http/mount.ts';
import type { TestDesk } from './check-now.ts';
import { testMonitor } from './contract.ts';

export const checkNowRoutes = (tests: TestDesk): Route[] => [raw(testMonitor, (call) => tests.test(call))];
