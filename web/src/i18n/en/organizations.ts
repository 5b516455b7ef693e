export const organizations = {
  settings: {
    title: 'Settings',
    tabs: {
      general: 'General',
      members: 'Members',
      apiKeys: 'API keys',
      alarmPolicy: 'Alarm policy',
      plan: 'Plan',
      activity: 'Activity',
    },
    locked: 'for owners and admins',
    adminsOnly: {
      apiKeys:
        'API keys act for the whole organization, so only its owners and admins see them. Ask one of them.',
      alarmPolicy:
        'The alarm standard holds for every monitor, so only owners and admins set it. Ask one of them.',
      activity: 'Only owners and admins read who changed what in the organization. Ask one of them.',
    },
    ownersAndAdmins: 'Owners and admins can change this.',
    name: 'Name',
    nameHint: 'Shown in the dashboard and in mails. Addresses and ids do not change with it.',
    renamed: 'The organization has a new name.',
    slug: 'Slug',
    slugHint: 'Made from the first name; it stays.',
    id: 'Organization id',
    idHint: 'What API paths ask for as org_id.',
    yourRole: 'Your role',
    danger: 'Danger zone',
    leave: {
      title: 'Leave organization',
      button: 'Leave',
      text: 'You lose access to {{name}} at once. Somebody there has to invite you again to come back.',
      lead: 'You lose access at once, until somebody invites you again.',
      lastOwner: 'You are its only owner. Make somebody else an owner first, or delete the organization.',
      done: 'You have left {{name}}.',
    },
    delete: {
      title: 'Delete organization',
      button: 'Delete organization',
      lead: 'Its projects, monitors, history, keys and members’ access are gone for good.',
      text: 'Everything {{name}} owns is deleted for good: projects, monitors with their history, incidents, notifications, API keys. Members lose access at once. This cannot be undone.',
      ownersOnly: 'Only an owner can delete the organization.',
      done: '{{name}} is deleted.',
    },
  },
  roles: {
    owner: 'Owner',
    admin: 'Admin',
    manager: 'Manager',
    member: 'Member',
  },
  roleWords: {
    owner: 'Everything, also deleting the organization and naming other owners.',
    admin: 'Members, API keys and activity, and all that a manager does.',
    manager: 'Projects, monitors and notifications.',
    member: 'Sees everything; acknowledges and resolves incidents.',
  },
};
