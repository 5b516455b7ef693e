// The IANA zones that this browser knows; the server judges what is sent.
export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** All zones as options; `also` is always among them, whether or not the browser knows it. */
export function zoneOptions(also: string): { value: string; label: string }[] {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), also]);
  return [...zones].map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
}
