/** The statistics in the last lines of a `ping`. */
export type PingStatistics = {
  sent: number;
  received: number;
  /** Average round trip, milliseconds; null if nothing came back or no times are printed. */
  averageMs: number | null;
};

/** Reads the statistics of iputils, BusyBox, macOS and FreeBSD; null if there are none. */
export function pingStatistics(output: string): PingStatistics | null {
  const counts = /(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output);
  if (counts === null) return null;
  const times = /min\/avg\/max\S* = [\d.]+\/([\d.]+)\//.exec(output);
  return {
    sent: Number(counts[1]),
    received: Number(counts[2]),
    averageMs: times === null ? null : Number(times[1]),
  };
}

/**
 * Why `ping` failed, from its standard error: no permission for ICMP (unavailable), an unknown option, no route from this
 * machine (unreachable), sending forbidden by a local firewall (forbidden). Undefined if it is none of these.
 */
export function pingTrouble(
  errors: string,
): 'unavailable' | 'unknown_option' | 'unreachable' | 'forbidden' | undefined {
  if (/(invalid|unrecognized|illegal|unknown) option|^usage:/im.test(errors)) return 'unknown_option';
  if (/(network is unreachable|no route to host|network is down|host is down)/i.test(errors))
    return 'unreachable';
  if (/send\w*:.*(operation not permitted|permission denied)/i.test(errors)) return 'forbidden';
  if (
    /(operation not permitted|permission denied|lacking privilege|are you root|not supported)/i.test(errors)
  )
    return 'unavailable';
  return undefined;
}

/** The reason that routers gave for undelivered packets; undefined if they gave none. */
export function routerWords(output: string): string | undefined {
  const said =
    /(Destination \w+(?: \w+)* (?:Unreachable|Prohibited)|Time to live exceeded|Packet filtered|No route|Address unreachable|Administratively prohibited)/i.exec(
      output,
    );
  return said?.[1];
}
