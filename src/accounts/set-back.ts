import { countAsNow } from '../platform/db/set-back.ts';
import type { Work } from '../platform/work.ts';

/** The clock was set back: wrong tries were made now at the latest, or they would slow every sign-in until then. */
export const rightTries = (work: Work): Promise<void> => countAsNow(work, 'sign_in_failures', ['at']);
