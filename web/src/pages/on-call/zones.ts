// The IANA time zones that this browser knows; the server validates them.
export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** All time zones as options, always including `also`, whether or not the browser knows it. */
export function zoneOptions(also: string): { value: string; label: string }[] {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), also]);
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
