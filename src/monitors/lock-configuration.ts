import { lockAlarmPolicy } from '../alarm-policy/lock.ts';
import { lockLimits } from '../organizations/lock-limits.ts';
import type { Tx } from '../platform/work.ts';
import { lockReferences } from './references.ts';
import { lockTags } from './tags-changed.ts';

/**
 * For writes of any part of an organization's configuration: takes its locks in order (docs/architecture.md), and at once as far
 * as any part goes, so that none is raised later.
 */
export async function lockConfiguration(tx: Tx, orgId: string): Promise<void> {
  await lockLimits(tx, orgId);
  await lockAlarmPolicy(tx, orgId, 'exclusive');
  await lockReferences(tx, orgId);
  await lockTags(tx, orgId, 'exclusive');
}
