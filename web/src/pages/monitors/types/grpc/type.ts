// The `grpc` type in the dashboard.
import { IconNetwork } from '@tabler/icons-react';
import type { GrpcConfig } from '#src/monitors/types/grpc/config.ts';
import { address, type MonitorTypeParts } from '../monitor-type.ts';

export const grpc: MonitorTypeParts<GrpcConfig> = {
  offered: { group: 'web', icon: IconNetwork },
  target: ({ host, port, service }) => `${address(host, port)}${service === '' ? '' : `/${service}`}`,
  form: () => import('./form.ts'),
  fields: () => import('./GrpcFields.tsx'),
};
