import { type Route, write } from '../platform/http/route.ts';
import { enroll } from './enroll.ts';
import { enrollAgent } from './protocol-contract.ts';

/** The operation that makes a machine an agent. */
export const enrollRoutes: Route[] = [write(enrollAgent, ({ body }, work) => enroll(work, body))];
