// Where a test begins.

export type OfferedRegion = { slug: string; name: string; online: boolean };

/**
 * The first of the monitor's regions that can check now. Where none can, nothing starts by itself (`starts`): from elsewhere
 * a target may look different, may not be meant to be asked, and has no stored secrets; who wants that chooses it. A monitor
 * that names no region yet begins in any.
 */
export function firstRegion(
  own: readonly string[],
  offered: readonly OfferedRegion[],
): { slug: string; starts: boolean } {
  const named = own.flatMap((slug) => offered.find((each) => each.slug === slug) ?? []);
  const candidates = named.length > 0 ? named : offered;
  const online = candidates.find((each) => each.online);
  // Without a single region the server says what is wrong.
  if (candidates.length === 0) return { slug: '', starts: true };
  return { slug: (online ?? candidates[0])?.slug ?? '', starts: online !== undefined };
}
