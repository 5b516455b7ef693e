// Shared by the commands of `tocsin secret-key`.
import { recordActivity } from '../activity/record.ts';
import { type Database, runWork } from '../platform/work.ts';
import { OPERATOR } from './open-installation.ts';

/** The sum of one count over all sealed columns. */
export const total = <Name extends string>(counts: readonly Record<Name, number>[], name: Name): number =>
  counts.reduce((sum, count) => sum + count[name], 0);

/** Records a step of the rotation in the installation's activity log. */
export function recordKeyStep(db: Database, now: Date, verb: string, after: object): Promise<void> {
  return runWork(db, now, OPERATOR, (work) =>
    recordActivity(work, {
      orgId: null,
      action: `secret_key.${verb}`,
      resource: { kind: 'installation', id: 'installation', name: null },
      after,
    }),
  );
}
