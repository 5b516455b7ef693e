import { PAGING_REGIONS } from '#src/domain/names.ts';
import type { Work } from '#src/platform/work.ts';
import { type OperatorAddresses, type PagingKind, pagingUrl } from './operator-addresses.ts';

const KINDS: readonly PagingKind[] = ['pagerduty', 'opsgenie'];

/**
 * Moves stored paging targets to the configured base addresses when the server starts: an operator who switches to a proxy,
 * or to a provider's successor, switches all of them.
 */
export async function followConfiguredBases({ tx }: Work, addresses: OperatorAddresses): Promise<void> {
  for (const kind of KINDS)
    for (const region of PAGING_REGIONS) {
      const url = pagingUrl(kind, region, addresses);
      await tx
        .updateTable('webhook_targets')
        .set({ url })
        .where('kind', '=', kind)
        .where('region', '=', region)
        .where('url', '<>', url)
        .execute();
    }
}
