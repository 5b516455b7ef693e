// The `database` type in the dashboard.
import { IconDatabase } from '@tabler/icons-react';
import { DATABASE_PORTS, type DatabaseConfig } from '#src/monitors/types/database/config.ts';
import { address, type MonitorTypeParts } from '../monitor-type.ts';

export const database: MonitorTypeParts<DatabaseConfig> = {
  offered: { group: 'servers', icon: IconDatabase },
  target: ({ engine, host, port, database }) => {
    const where = address(host, port ?? DATABASE_PORTS[engine]);
    return where === '' || database === null ? where : `${where}/${database}`;
  },
  form: () => import('./form.ts'),
  fields: () => import('./DatabaseFields.tsx'),
};
