import { type Route, write } from '../platform/http/route.ts';
import { enroll } from './enroll.ts';
import { enrollAgent } from './protocol-contract.ts';

/** How machines become agents. */
export const enrollRoutes: Route[] = [write(enrollAgent, ({ body }, work) => enroll(work, body))];
