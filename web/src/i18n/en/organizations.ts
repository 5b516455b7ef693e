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
      transfer: 'Export and import',
    },
    locked: 'for owners and admins',
    adminsOnly: {
      apiKeys:
        'API keys act for the whole organization, so only its owners and admins see them. Ask one of them.',
      alarmPolicy:
        'The alarm standard applies to every monitor, so only owners and admins set it. Ask one of them.',
      activity: 'Only owners and admins can see who changed what. Ask one of them.',
      transfer:
        'An export contains everything, secrets included, so only owners and admins can make one. Ask one of them.',
    },
    ownersAndAdmins: 'Owners and admins can change this.',
    name: 'Name',
    nameHint: 'Shown in the dashboard and in mails. Addresses and ids stay as they are.',
    renamed: 'The organization has a new name.',
    language: 'Language',
    languageHint:
      'For messages to chats, and for mails and pushes to members who chose no language of their own.',
    languageSaved: 'The organization has a new language.',
    slug: 'Slug',
    slugHint: 'Derived from the first name. It cannot be changed.',
    id: 'Organization id',
    idHint: 'Used as org_id in API paths.',
    yourRole: 'Your role',
    danger: 'Danger zone',
    leave: {
      title: 'Leave organization',
      button: 'Leave',
      text: 'You lose access to {{name}} at once. To come back, you need a new invitation.',
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
    viewer: 'Viewer',
  },
  roleWords: {
    owner: 'Everything, including deleting the organization and naming other owners.',
    admin: 'Members, API keys and activity, plus everything a manager can do.',
    manager: 'Projects, monitors and notifications.',
    member: 'Sees everything; acknowledges and resolves incidents.',
    viewer: 'Sees what members see, but changes nothing, acknowledges no incidents and takes no shifts.',
  },
};
