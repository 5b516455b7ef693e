import type { Region } from '#src/regions/contract.ts';

/** The API's default is the installation's own region; without one, the first region that can check. */
export function defaultRegion(regions: readonly Region[]): Region | undefined {
  const usable = regions.filter((region) => !region.internal);
  return usable.find(({ slug }) => slug === 'local') ?? usable.find(({ online }) => online) ?? usable[0];
}
