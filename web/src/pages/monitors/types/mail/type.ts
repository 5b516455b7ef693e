// The `mail` type in the dashboard.
import { IconMail } from '@tabler/icons-react';
import { MAIL_PORTS, type MailConfig } from '#src/monitors/types/mail/config.ts';
import { address, type MonitorTypeParts } from '../monitor-type.ts';

export const mail: MonitorTypeParts<MailConfig> = {
  offered: { group: 'servers', icon: IconMail },
  target: ({ protocol, host, port, security }) =>
    host === '' ? '' : `${protocol.toUpperCase()} ${address(host, port ?? MAIL_PORTS[protocol][security])}`,
  form: () => import('./form.ts'),
  fields: () => import('./MailFields.tsx'),
};
