import type { NoticeContent } from '../data.ts';

/** Where in the dashboard a notice leads, from the root of the installation: the one incident, the list of them, a target. */
export function pathOf(notice: NoticeContent, orgId: string): string {
  const home = `/app/o/${encodeURIComponent(orgId)}`;
  switch (notice.kind) {
    case 'target_failing':
    case 'target_deactivated':
      return `${home}/notifications/${encodeURIComponent(notice.data.target_id)}`;
    default: {
      const { incidents, total } = notice.data;
      const [only] = incidents;
      return only && total <= 1 && incidents.length === 1
        ? `${home}/incidents/${encodeURIComponent(only.id)}`
        : `${home}/incidents`;
    }
  }
}
