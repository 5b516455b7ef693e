// Monitors without regions (heartbeat, agent, service, group) are judged as if a single virtual region, always online,
// checked them. Its slug is empty and internal: no list of regions on the wire contains it.

export const NO_REGION = '';

/** The regions that a monitor is judged by: its own, or the virtual one. */
export function judgedFrom(regions: readonly string[]): string[] {
  return regions.length === 0 ? [NO_REGION] : [...regions];
}

/** A list of regions for output: without the virtual one. */
export function realRegions(regions: readonly string[]): string[] {
  return regions.filter((region) => region !== NO_REGION);
}
