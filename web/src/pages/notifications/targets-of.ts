import { listWebhooks } from '#src/notifications/contract.ts';
import { MAX_PAGE, read } from '#web/read.ts';

/** The notification targets of an organization. */
export const targetsOf = (orgId: string) =>
  read(listWebhooks, { params: { org_id: orgId }, query: MAX_PAGE });
