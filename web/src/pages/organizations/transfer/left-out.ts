// The lines of an export that an import leaves out, in words: one entry for related kinds.
const GROUPS = {
  checks: ['check', 'check_bucket', 'downtime_bucket', 'reported_time'],
  incidents: ['incident', 'incident_timeline', 'incident_note', 'postmortem', 'incident_status_page'],
  people: ['member', 'invitation', 'on_call_override'],
  keys: ['api_key'],
  deliveries: ['webhook_event', 'delivery'],
  activity: ['activity'],
  pages: ['status_page_logo', 'status_page_viewer', 'status_page_domain', 'status_page_subscriber'],
  pings: ['heartbeat'],
} as const;

export type LeftOutGroup = keyof typeof GROUPS;

/** How many lines of each group are left out; empty groups are omitted. */
export function leftOutGroups(counts: ReadonlyMap<string, number>): [group: LeftOutGroup, count: number][] {
  return Object.entries(GROUPS).flatMap(([group, kinds]) => {
    const count = kinds.reduce((sum, kind) => sum + (counts.get(kind) ?? 0), 0);
    return count === 0 ? [] : [[group as LeftOutGroup, count] as const];
  }) as [LeftOutGroup, number][];
}
