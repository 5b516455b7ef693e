// Browser-safe. The configuration of an export, brought into an organization that there is
// (docs/rules/access.md#an-organization-as-a-file).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, Nullable, operation } from '../platform/contract.ts';

/** First line of an export. */
export const HEADER_KIND = 'tocsin_organization_export';

/** The kinds that are imported, in this order. */
export const THING_KINDS = [
  'alarm_standard',
  'alert_profile',
  'project',
  'monitor',
  'webhook_target',
  'maintenance_series',
  'maintenance_window',
  'on_call_settings',
  'on_call_roster',
  'status_page',
] as const;
export type ThingKind = (typeof THING_KINDS)[number];

/** Kinds of lines that an import reads; of the others it only says how many there are. */
export const READ_KINDS = [HEADER_KIND, 'organization', 'status_page_monitor', ...THING_KINDS] as const;

/** Differences from the file, for a person to check. */
export const IMPORT_NOTES = [
  'regions_left_out',
  'local_region',
  'references_left_out',
  'monitors_left_out',
  'people_left_out',
  'new_address',
  'new_secret',
  'slug_changed',
  'switched_off',
] as const;

/** Largest body: a thousand monitors have a third of it. The dashboard sends only the lines that are read. */
export const IMPORT_BYTES = 8 * 1024 * 1024;
export const MAX_MONITORS = 1000;
/** Of everything else, kind by kind. */
export const MAX_OTHERS = 200;

export const ImportedThing = Type.Object({
  kind: Type.Enum([...THING_KINDS]),
  name: Nullable(Type.String()),
  outcome: Type.Enum(['made', 'exists', 'refused'], {
    description: 'exists: the organization has it already, and it stays as it is',
  }),
  notes: Type.Array(Type.Enum([...IMPORT_NOTES]), { description: 'what differs from the file' }),
  /** Why it was not made, as a write of its own would be refused. */
  refusal: Nullable(
    Type.Object({
      error: Type.String(),
      message: Type.String(),
      field: Type.Optional(Type.String()),
      limit: Type.Optional(Type.Integer()),
    }),
  ),
});
export type ImportedThing = Static<typeof ImportedThing>;

export const ImportReport = Type.Object({
  preview: Type.Boolean({ description: 'true: nothing was written' }),
  from: Nullable(Type.String({ description: 'name of the organization in the file' })),
  things: Type.Array(ImportedThing),
  left_out: Type.Array(Type.Object({ kind: Type.String(), count: Type.Integer() }), {
    description: 'lines of the file that an import into an organization leaves out',
  }),
});
export type ImportReport = Static<typeof ImportReport>;

export const importConfiguration = operation({
  id: 'importConfiguration',
  method: 'POST',
  path: '/organizations/{org_id}/import',
  summary:
    'Bring the configuration of an export into the organization: only adds, in one transaction; the body is the file',
  tag: 'Organizations',
  right: 'admin',
  resource: 'organization',
  params: OrganizationParams,
  query: Type.Object(
    {
      preview: Type.Optional(
        Type.Boolean({ description: 'true: only say what would be made; nothing is written' }),
      ),
    },
    closed,
  ),
  consumes: 'application/x-ndjson',
  bodyLimit: IMPORT_BYTES,
  status: 200,
  reply: ImportReport,
  refusals: [400, 409, 413, 415, 429],
});
