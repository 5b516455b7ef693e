// grpc.health.v1 as a descriptor: the whole of health.proto that a client of Check needs, without a generator.
import { create, createFileRegistry, type DescMethodUnary } from '@bufbuild/protobuf';
import {
  FieldDescriptorProto_Label,
  FieldDescriptorProto_Type,
  FileDescriptorProtoSchema,
} from '@bufbuild/protobuf/wkt';

/** `HealthCheckResponse.ServingStatus` by number. */
export const SERVING_STATUS = ['UNKNOWN', 'SERVING', 'NOT_SERVING', 'SERVICE_UNKNOWN'] as const;
export const SERVING = 1;
export const SERVICE_UNKNOWN = 3;

const PACKAGE = 'grpc.health.v1';
const RESPONSE = 'HealthCheckResponse';

const file = create(FileDescriptorProtoSchema, {
  name: 'grpc/health/v1/health.proto',
  package: PACKAGE,
  syntax: 'proto3',
  messageType: [
    {
      name: 'HealthCheckRequest',
      field: [
        {
          name: 'service',
          number: 1,
          type: FieldDescriptorProto_Type.STRING,
          label: FieldDescriptorProto_Label.OPTIONAL,
          jsonName: 'service',
        },
      ],
    },
    {
      name: RESPONSE,
      enumType: [{ name: 'ServingStatus', value: SERVING_STATUS.map((name, number) => ({ name, number })) }],
      field: [
        {
          name: 'status',
          number: 1,
          type: FieldDescriptorProto_Type.ENUM,
          typeName: `.${PACKAGE}.${RESPONSE}.ServingStatus`,
          label: FieldDescriptorProto_Label.OPTIONAL,
          jsonName: 'status',
        },
      ],
    },
  ],
  service: [
    {
      name: 'Health',
      method: [
        {
          name: 'Check',
          inputType: `.${PACKAGE}.HealthCheckRequest`,
          outputType: `.${PACKAGE}.${RESPONSE}`,
        },
      ],
    },
  ],
});

/** The method grpc.health.v1.Health/Check: `{service}` → `{status}`. */
export const healthCheck = checkMethod();

function checkMethod(): DescMethodUnary {
  const method = createFileRegistry(file, () => undefined).getService(`${PACKAGE}.Health`)?.method.check;
  if (method?.methodKind !== 'unary') throw new Error('The descriptor of grpc.health.v1 is broken');
  return method as DescMethodUnary;
}
