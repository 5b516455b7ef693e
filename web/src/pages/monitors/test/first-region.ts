// The region in which a test starts.

export type OfferedRegion = { slug: string; name: string; online: boolean };

/**
 * The first of the monitor's regions that can check now. If none can, the test does not start by itself (`starts`): from
 * another region a target may look different, may not be meant to be reached, and gets no stored secrets, so a person must
 * choose. A monitor without regions may start in any.
 */
export function firstRegion(
  own: readonly string[],
  offered: readonly OfferedRegion[],
): { slug: string; starts: boolean } {
  const named = own.flatMap((slug) => offered.find((each) => each.slug === slug) ?? []);
  const candidates = named.length > 0 ? named : offered;
  const online = candidates.find((each) => each.online);
  // Without any region the server explains the problem.
  if (candidates.length === 0) return { slug: '', starts: true };
  return { slug: (online ?? candidates[0])?.slug ?? '', starts: online !== undefined };
}
