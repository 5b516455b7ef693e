import { countAsNow } from '../platform/db/set-back.ts';
import type { Work } from '../platform/work.ts';

/** The clock was set back: invitations were mailed now at the latest, or their limits would be used up until then. */
export const rightInvitationMails = (work: Work): Promise<void> =>
  countAsNow(work, 'invitation_mails', ['at']);
