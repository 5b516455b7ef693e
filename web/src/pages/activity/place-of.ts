// The page of the resource that an activity entry is about.
import { linkOptions } from '@tanstack/react-router';
import type { ActivityEntry } from '#src/activity/contract.ts';

/** Verbs after which the resource no longer exists. */
const GONE = ['delete', 'remove', 'archive', 'revoke', 'leave'];

/** The page of the resource of `entry`; null if it is gone or has none. */
export function placeOf({ action, resource: { kind, id } }: ActivityEntry, orgId: string) {
  const [, verb = ''] = action.split('.');
  if (GONE.includes(verb)) return null;
  switch (kind) {
    case 'monitor':
      return linkOptions({ to: '/o/$orgId/monitors/$monitorId', params: { orgId, monitorId: id } });
    case 'incident':
      return linkOptions({ to: '/o/$orgId/incidents/$incidentId', params: { orgId, incidentId: id } });
    case 'maintenance_window':
      return linkOptions({ to: '/o/$orgId/maintenance/$windowId', params: { orgId, windowId: id } });
    case 'webhook':
      return linkOptions({ to: '/o/$orgId/notifications/$targetId', params: { orgId, targetId: id } });
    case 'status_page':
      return linkOptions({ to: '/o/$orgId/status-pages/$pageId', params: { orgId, pageId: id } });
    case 'project':
      return linkOptions({ to: '/o/$orgId/monitors', params: { orgId }, search: { project: id } });
    case 'agent':
      return linkOptions({ to: '/o/$orgId/hosts/$agentId', params: { orgId, agentId: id } });
    case 'fire_drill':
      return linkOptions({ to: '/o/$orgId/on-call/drills/$drillId', params: { orgId, drillId: id } });
    case 'alert_profile':
      return linkOptions({
        to: '/o/$orgId/settings/alarm-policy/profiles/$profileId',
        params: { orgId, profileId: id },
      });
    case 'alarm_standard':
      return linkOptions({ to: '/o/$orgId/settings/alarm-policy', params: { orgId } });
    case 'on_call':
    case 'on_call_override':
      return linkOptions({ to: '/o/$orgId/on-call', params: { orgId } });
    case 'member':
    case 'invitation':
      return linkOptions({ to: '/o/$orgId/settings/members', params: { orgId } });
    case 'api_key':
      return linkOptions({ to: '/o/$orgId/settings/api-keys', params: { orgId } });
    default:
      return null;
  }
}
