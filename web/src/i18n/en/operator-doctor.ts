import { FINDING_WORDS } from '#src/domain/finding-words.ts';

export const operatorDoctor = {
  doctor: {
    title: 'Doctor',
    lead: 'Examines everything this installation depends on, and says what to do about what it finds. Nothing is sent, unless you ask for a test mail.',
    examine: 'Examine now',
    again: 'Examine again',
    mailTo: 'Send a test mail to',
    mailToHint: 'Optional',
    noAddress: 'This is not a mail address.',
    fine: 'Nothing is wrong',
    warned_one: 'Nothing is wrong, with {{count}} warning',
    warned_other: 'Nothing is wrong, with {{count}} warnings',
    failed_one: '{{count}} thing is wrong',
    failed_other: '{{count}} things are wrong',
    state: { ok: 'OK', warn: 'Warning', fail: 'Wrong' },
    commandLine:
      'On the machine, tocsin doctor examines the same and the activity logs, and works when this page does not load.',
    subjects: {
      settings: 'Settings',
      database: 'Database',
      migrations: 'Migrations',
      clock: 'Clocks',
      secret_key: 'Secret key',
      activity: 'Activity logs',
      folder: 'Files',
      disk: 'Disk',
      mail: 'Mail',
      dns: 'DNS',
      proxy: 'Proxy',
      port: 'Port',
      probes: 'Probes',
      channels: 'Notification targets',
      queues: 'Queues',
    },
    findings: FINDING_WORDS,
  },
};
