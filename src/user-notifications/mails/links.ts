import type { NoticeContent } from '../data.ts';

/** The path in the dashboard that a notice links to: its only incident or monitor, the list of these, or the target. */
export function pathOf(notice: NoticeContent, orgId: string): string {
  const home = `/app/o/${encodeURIComponent(orgId)}`;
  switch (notice.kind) {
    case 'target_failing':
    case 'target_deactivated':
      return `${home}/notifications/${encodeURIComponent(notice.data.target_id)}`;
    case 'monitors_silent':
    case 'monitors_report': {
      const [only] = notice.data.monitors;
      return only && notice.data.total === 1
        ? `${home}/monitors/${encodeURIComponent(only.id)}`
        : `${home}/monitors`;
    }
    case 'drill':
    case 'drill_ended':
      return `${home}/on-call/drills/${encodeURIComponent(notice.data.drill_id)}`;
    default: {
      const { incidents, total } = notice.data;
      const [only] = incidents;
      return only && total <= 1 && incidents.length === 1
        ? `${home}/incidents/${encodeURIComponent(only.id)}`
        : `${home}/incidents`;
    }
  }
}
