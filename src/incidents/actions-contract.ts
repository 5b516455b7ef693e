// Browser-safe. Actions of people on incidents (docs/rules/confirmation.md#manual-incidents, docs/rules/confirmation.md#notes,
// docs/rules/confirmation.md#post-mortems).
import { type Static, Type } from 'typebox';
import {
  INCIDENT_SEVERITIES,
  INCIDENT_SEVERITY_LEVELS,
  NOTE_KINDS,
  POSTMORTEM_FIELDS,
  VISIBILITIES,
} from '../domain/names.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import {
  closed,
  Id,
  LARGE_BODY_LIMIT,
  Nullable,
  operation,
  PageQuery,
  UnixSeconds,
} from '../platform/contract.ts';
import { IncidentDetail, IncidentParams } from './contract.ts';

/** Free text (docs/rules/limits.md#lengths). */
const Text = Type.String({ maxLength: 20_000 });
const OfIncident = {
  tag: 'Incidents',
  resource: 'organization',
  narrowed: 'filtered',
  params: IncidentParams,
} as const;
const PATH = '/organizations/{org_id}/incidents/{incident_id}';
/** Status pages belong to the whole organization: a narrowed key cannot change them. */
const { narrowed: _, ...OfIncidentAndPage } = OfIncident;

export const createIncident = operation({
  id: 'createIncident',
  method: 'POST',
  path: '/organizations/{org_id}/incidents',
  summary: 'Open an incident by hand; `started_at_unix` may lie in the past',
  tag: 'Incidents',
  right: 'member',
  resource: 'organization',
  scope: 'incidents:write',
  narrowed: 'filtered',
  capability: 'incident_command',
  params: OrganizationParams,
  body: Type.Object(
    {
      monitor_id: Type.Optional(Nullable(Id)),
      severity: Type.Enum([...INCIDENT_SEVERITIES]),
      severity_level: Type.Optional(Type.Union([Type.Enum([...INCIDENT_SEVERITY_LEVELS]), Type.Null()])),
      started_at_unix: Type.Optional(Nullable(UnixSeconds())),
      cause: Type.String({ maxLength: 1000 }),
      summary: Type.Optional(Nullable(Text)),
    },
    closed,
  ),
  status: 201,
  reply: IncidentDetail,
});

const Reason = Type.Object({ reason: Type.Optional(Nullable(Type.String({ maxLength: 1000 }))) }, closed);

export const discardIncident = operation({
  ...OfIncident,
  id: 'discardIncident',
  method: 'POST',
  path: `${PATH}/discard`,
  summary:
    'Discard a closed incident as a false alarm: its downtime no longer counts in any figure; idempotent',
  right: 'project_management',
  scope: 'incidents:write',
  body: Type.Optional(Reason),
  status: 200,
  reply: IncidentDetail,
  refusals: [409],
});

export const restoreIncident = operation({
  ...OfIncident,
  id: 'restoreIncident',
  method: 'POST',
  path: `${PATH}/restore`,
  summary: 'Restore a discarded incident: its downtime counts again; idempotent',
  right: 'project_management',
  scope: 'incidents:write',
  body: Type.Optional(Reason),
  status: 200,
  reply: IncidentDetail,
});

export const holdIncident = operation({
  ...OfIncident,
  id: 'holdIncident',
  method: 'POST',
  path: `${PATH}/hold`,
  summary: 'Hold the alarm of an open incident in the caller’s name; 0 seconds end the hold',
  right: 'member',
  scope: 'incidents:write',
  body: Type.Object({ seconds: Type.Integer({ minimum: 0, maximum: 86_400 }) }, closed),
  status: 200,
  reply: IncidentDetail,
});

export const Note = Type.Object({
  id: Type.String(),
  body: Type.String(),
  kind: Type.Enum([...NOTE_KINDS]),
  visibility: Type.Enum([...VISIBILITIES]),
  author_name: Type.String(),
  created_at_unix: UnixSeconds(),
});
export type Note = Static<typeof Note>;

export const createNote = operation({
  ...OfIncident,
  id: 'createIncidentNote',
  method: 'POST',
  path: `${PATH}/notes`,
  summary: 'Add a note or a status update; public ones appear on linked status pages',
  right: 'member',
  scope: 'incidents:write',
  body: Type.Object(
    { body: Text, kind: Type.Enum([...NOTE_KINDS]), visibility: Type.Enum([...VISIBILITIES]) },
    closed,
  ),
  status: 201,
  reply: Note,
});

export const listNotes = operation({
  ...OfIncident,
  id: 'listIncidentNotes',
  method: 'GET',
  path: `${PATH}/notes`,
  summary: 'Notes and status updates of an incident, oldest first',
  right: 'member',
  scope: 'incidents:read',
  query: PageQuery('a note id'),
  status: 200,
  reply: Type.Array(Note),
});

const Texts = Object.fromEntries(POSTMORTEM_FIELDS.map((field) => [field, Type.String()])) as Record<
  (typeof POSTMORTEM_FIELDS)[number],
  ReturnType<typeof Type.String>
>;

export const Postmortem = Type.Object({
  ...Texts,
  status: Type.String(),
  visibility: Type.String(),
  published_at_unix: Nullable(UnixSeconds()),
});
export type Postmortem = Static<typeof Postmortem>;

export const getPostmortem = operation({
  ...OfIncident,
  id: 'getPostmortem',
  method: 'GET',
  path: `${PATH}/postmortem`,
  summary: 'The post-mortem of an incident; 404 where none was written',
  right: 'member',
  scope: 'incidents:read',
  status: 200,
  reply: Postmortem,
});

export const putPostmortem = operation({
  ...OfIncident,
  id: 'putPostmortem',
  method: 'PUT',
  path: `${PATH}/postmortem`,
  bodyLimit: LARGE_BODY_LIMIT,
  summary: 'Write the post-mortem of an incident; omitted fields keep their text',
  right: 'member',
  scope: 'incidents:write',
  capability: 'incident_command',
  body: Type.Object(
    {
      ...(Object.fromEntries(
        POSTMORTEM_FIELDS.map((field) => [
          field,
          Type.Optional(Nullable(field === 'title' ? Type.String({ maxLength: 200 }) : Text)),
        ]),
      ) as Record<(typeof POSTMORTEM_FIELDS)[number], ReturnType<typeof optionalText>>),
      visibility: Type.Optional(Type.Union([Type.Enum([...VISIBILITIES]), Type.Null()])),
      // Read-only: accepted with the value they have, so that what was read can be sent back.
      status: Type.Optional(Type.Unknown()),
      published_at_unix: Type.Optional(Type.Unknown()),
    },
    closed,
  ),
  status: 200,
  reply: Postmortem,
});

function optionalText() {
  return Type.Optional(Nullable(Text));
}

export const publishPostmortem = operation({
  ...OfIncident,
  id: 'publishPostmortem',
  method: 'POST',
  path: `${PATH}/postmortem/publish`,
  summary: 'Publish the post-mortem of an incident; 404 where none was written',
  right: 'member',
  scope: 'incidents:write',
  capability: 'incident_command',
  status: 200,
  reply: Postmortem,
});

export const PageLink = Type.Object({
  status_page_id: Type.String(),
  name: Type.String(),
  slug: Type.String(),
  linked_at_unix: UnixSeconds(),
});
export type PageLink = Static<typeof PageLink>;

const PageLinkParams = Type.Object({
  org_id: Type.String(),
  incident_id: Type.String(),
  status_page_id: Type.String(),
});

export const listPageLinks = operation({
  ...OfIncident,
  id: 'listIncidentStatusPages',
  method: 'GET',
  path: `${PATH}/status-pages`,
  summary: 'Status pages that show an incident',
  right: 'member',
  scope: 'incidents:read',
  status: 200,
  reply: Type.Array(PageLink),
});

export const linkPage = operation({
  ...OfIncidentAndPage,
  id: 'linkIncidentToStatusPage',
  method: 'PUT',
  path: `${PATH}/status-pages/{status_page_id}`,
  summary: 'Show an incident on a status page; idempotent',
  right: 'project_management',
  scope: 'incidents:write',
  params: PageLinkParams,
  status: 200,
  reply: PageLink,
});

export const unlinkPage = operation({
  ...OfIncidentAndPage,
  id: 'unlinkIncidentFromStatusPage',
  method: 'DELETE',
  path: `${PATH}/status-pages/{status_page_id}`,
  summary: 'Remove an incident from a status page; idempotent',
  right: 'project_management',
  scope: 'incidents:write',
  params: PageLinkParams,
  status: 204,
});
