import { countAsNow } from '../platform/db/set-back.ts';
import type { Work } from '../platform/work.ts';

/**
 * The clock was set back: a probe was last heard of now at the latest, or one that has died since would count as online until the
 * clock comes there again (docs/rules/confirmation.md#a-clock-that-was-set-back).
 */
export async function rightProbes(work: Work): Promise<void> {
  await countAsNow(work, 'probes', [
    'first_seen_at',
    'last_seen_at',
    'asked_at',
    'awaited_since',
    'set_aside_at',
    'busy_at',
  ]);
  await countAsNow(work, 'regions', ['probe_seen_at']);
  await countAsNow(work, 'installation', ['silent_from', 'silent_until']);
}
