// Monitors without regions (heartbeat, agent, service, group) are judged as if one made-up region checked them, always
// online. Its slug is empty and stays inside: no list of regions on the wire names it.

export const NO_REGION = '';

/** The regions that a monitor is judged by: its own, or the made-up one. */
export function judgedFrom(regions: readonly string[]): string[] {
  return regions.length === 0 ? [NO_REGION] : [...regions];
}

/** A list of regions as it is told: without the made-up one. */
export function realRegions(regions: readonly string[]): string[] {
  return regions.filter((region) => region !== NO_REGION);
}
