// The IANA time zones that this browser knows; the server validates them.
export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How many time zones a list shows at once; typing finds the others. */
export const SHOWN_ZONES = 80;

/** All time zones as options, always including `also`, whether or not the browser knows it. */
export function zoneOptions(also: string): { value: string; label: string }[] {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), also]);
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
