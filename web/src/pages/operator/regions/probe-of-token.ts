import type { AdministeredRegion } from '#src/regions/contract.ts';

/**
 * The result of a new token: null while unused; then the probe that was not online before (`known`), or no name if all
 * probes were online already.
 */
export function probeOfToken(
  region: AdministeredRegion | undefined,
  tokenId: string,
  known: readonly string[],
): { probeId: string | null } | null {
  const token = region?.probe_tokens.find(({ id }) => id === tokenId);
  if (region === undefined || token === undefined || token.last_used_at_unix === null) return null;
  const probe = region.probes.find(({ probe_id, online }) => online && !known.includes(probe_id));
  return { probeId: probe?.probe_id ?? null };
}
