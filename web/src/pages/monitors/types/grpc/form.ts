// The form of the `grpc` type.
import { GrpcConfig, grpcDestination } from '#src/monitors/types/grpc/config.ts';
import { type Amount, orNull } from '#web/pages/monitors/form/amounts.ts';
import { hostProblem, portProblem } from '#web/pages/monitors/form/checks.ts';
import { type HeaderLine, readHeaders, writeHeaders } from '#web/pages/monitors/form/header-lines.ts';
import {
  type IpFamily,
  readTiming,
  type Timing,
  timingProblems,
  timingSection,
  writeTiming,
} from '#web/pages/monitors/form/timing.ts';
import { typeForm } from '../type-form.ts';

export type GrpcValues = Timing &
  IpFamily & { host: string; port: Amount; service: string; tls: boolean; metadata: HeaderLine[] };

export const form = typeForm<GrpcValues, GrpcConfig>({
  type: 'grpc',
  schema: GrpcConfig,
  start: { host: '', port: '' },
  read: (config) => ({
    host: config.host,
    port: config.port,
    service: config.service,
    tls: config.tls,
    metadata: readHeaders(config.metadata, config.secret_metadata),
    ip_family: config.ip_family,
    ...readTiming(config),
  }),
  write: (values) => {
    const metadata = writeHeaders(values.metadata);
    return {
      host: values.host.trim(),
      port: orNull(values.port),
      service: values.service.trim(),
      tls: values.tls,
      metadata: metadata.map,
      secret_metadata: metadata.secret,
      ip_family: values.ip_family,
      ...writeTiming(values),
    };
  },
  destination: grpcDestination,
  problems: (values) => ({
    host: hostProblem(values.host),
    port: portProblem(values.port),
    ...timingProblems(values),
  }),
  sections: [
    {
      id: 'metadata',
      fields: ['metadata', 'secret_metadata'],
      title: (t) => t('fields.grpc.metadata'),
      summary: (t, _formats, { metadata }) =>
        metadata.length === 0
          ? t('fields.grpc.noMetadata')
          : t('fields.grpc.metadataCount', { count: metadata.length }),
    },
    timingSection(GrpcConfig),
  ],
});
