import type { Region } from '#src/regions/contract.ts';

/** The interface's default is the installation's own region; where there is none, one that can check. */
export function firstUsable(regions: readonly Region[]): Region | undefined {
  const usable = regions.filter((region) => !region.internal);
  return usable.find(({ slug }) => slug === 'local') ?? usable.find(({ online }) => online) ?? usable[0];
}
