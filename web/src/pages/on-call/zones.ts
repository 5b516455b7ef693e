// The IANA time zones that this browser knows; the server validates them.
import type { Formats } from '#web/format.ts';

export const BROWSER_ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** How many time zones a list shows at once; typing finds the others. */
export const SHOWN_ZONES = 80;

/** A zone as people write it. */
export const zoneName = (zone: string): string => zone.replaceAll('_', ' ');

/** All time zones as options, always including `also`, whether or not the browser knows it. */
export function zoneOptions(also: string): { value: string; label: string }[] {
  const zones = new Set(['UTC', ...Intl.supportedValuesOf('timeZone'), also]);
  return [...zones].map((zone) => ({ value: zone, label: zoneName(zone) }));
}

/** A moment in another zone, which it names where the reader’s own clock shows another time. */
export function inNamedZone(
  { inZone }: Pick<Formats, 'inZone'>,
  unix: number,
  zone: string,
  own = BROWSER_ZONE,
): string {
  const when = inZone(unix, zone);
  return when === inZone(unix, own) ? when : `${when} (${zoneName(zone)})`;
}
