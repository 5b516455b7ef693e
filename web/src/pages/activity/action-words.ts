// Actions in the reader's language; an action without words is shown by its code.
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';

/** Nouns in the order of the filter, each with its verbs. */
export const ACTIONS = {
  monitor: ['create', 'update', 'delete', 'announce_change'],
  monitor_view: ['create', 'update', 'delete'],
  alert_profile: ['create', 'update', 'delete'],
  alarm_standard: ['set', 'lift'],
  on_call: [
    'configure',
    'set_roster',
    'create_override',
    'delete_override',
    'create_calendar',
    'delete_calendar',
    'start_drill',
    'acknowledge_drill',
    'stop_drill',
  ],
  incident: [
    'create',
    'acknowledge',
    'resolve',
    'hold',
    'end_hold',
    'note',
    'discard',
    'restore',
    'write_postmortem',
    'publish_postmortem',
    'link',
    'unlink',
  ],
  maintenance: ['create', 'update', 'cancel', 'delete'],
  status_page: [
    'create',
    'update',
    'set_monitors',
    'set_password',
    'rotate_password',
    'remove_password',
    'set_logo',
    'remove_logo',
    'add_domain',
    'verify_domain',
    'remove_domain',
    'create_viewer',
    'delete_viewer',
    'delete_subscriber',
    'archive',
  ],
  webhook: ['create', 'update', 'delete', 'rotate_secret', 'test', 'replay', 'deactivate'],
  project: ['create', 'rename', 'delete'],
  member: ['update', 'remove', 'leave'],
  invitation: ['create', 'accept', 'revoke'],
  api_key: ['create', 'revoke'],
  agent: ['create_token', 'revoke_token', 'enroll', 'update', 'upgrade', 'remove'],
  organization: ['create', 'rename', 'set_plan'],
} as const;
export type ActionResource = keyof typeof ACTIONS;

/** Returns a function that turns `noun.verb` into words. */
export function useActionWords(): (action: string) => string {
  const { t, i18n } = useTranslation();
  return useCallback(
    (action: string) => {
      const key = `activity.actions.${action}`;
      return i18n.exists(key) ? t(key as 'activity.actions.monitor.create') : action;
    },
    [t, i18n],
  );
}
