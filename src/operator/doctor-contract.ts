// Browser-safe. What `tocsin doctor` finds, for the operator in the dashboard (docs/rules/command-line.md#doctor).
import { type Static, Type } from 'typebox';
import { closed, Nullable, operation } from '../platform/contract.ts';

export const Finding = Type.Object({
  state: Type.Enum(['ok', 'warn', 'fail']),
  subject: Type.String({ description: 'what was examined: database, disk, mail, …' }),
  code: Type.String({ description: 'stable code of what was found' }),
  values: Type.Record(Type.String(), Type.String(), {
    description: 'what the sentences are made of, for other languages',
  }),
  said: Type.String({ description: 'an English sentence about what was found' }),
  todo: Nullable(Type.String({ description: 'what to do; null where nothing is wrong' })),
});
export type Finding = Static<typeof Finding>;

export const Report = Type.Object({
  ok: Type.Boolean({ description: 'nothing fails; there may be warnings' }),
  findings: Type.Array(Finding),
});
export type Report = Static<typeof Report>;

export const examineInstallation = operation({
  id: 'examineInstallation',
  method: 'POST',
  path: '/admin/doctor',
  summary:
    'Examine everything this installation depends on; sends nothing, except one message where mail_to asks for it',
  tag: 'Operator',
  right: 'operator',
  resource: 'none',
  body: Type.Optional(
    Type.Object(
      {
        mail_to: Type.Optional(
          Nullable(
            Type.String({ maxLength: 254, description: 'a mail address that a real message is sent to' }),
          ),
        ),
      },
      closed,
    ),
  ),
  status: 200,
  reply: Report,
  refusals: [429],
});
