// Browser-safe. Monthly reports by mail, for the person who subscribed (docs/rules/figures.md#reports-by-mail).
import { type Static, Type } from 'typebox';
import { OrganizationParams } from '#src/organizations/contract.ts';
import { closed, Nullable, operation, UnixSeconds } from '#src/platform/contract.ts';
import { Report } from '../contract.ts';

/** The most subscriptions of a person in an organization. */
export const MAX_SUBSCRIPTIONS = 20;

export const ReportSubscription = Type.Object({
  id: Type.String(),
  subject: Report.properties.subject,
  timezone: Type.String({ description: 'IANA time zone whose months are reported' }),
  next_period: Type.String({ description: 'the month whose report is mailed next' }),
  next_at_unix: UnixSeconds({
    description: 'when: one to three hours after the month has ended in that zone; later after a failed try',
  }),
  last_sent_at_unix: Nullable(UnixSeconds()),
  last_error: Nullable(Type.String({ description: 'a class; null: the last mail was accepted' })),
  created_at_unix: UnixSeconds(),
});
export type ReportSubscription = Static<typeof ReportSubscription>;

const PATH = '/organizations/{org_id}/report-subscriptions';
const OWN = { tag: 'Reports', right: 'member', resource: 'organization' } as const;

export const listReportSubscriptions = operation({
  ...OWN,
  id: 'listReportSubscriptions',
  method: 'GET',
  path: PATH,
  summary: 'additive: the reports that are mailed to the caller each month',
  params: OrganizationParams,
  status: 200,
  reply: Type.Array(ReportSubscription),
});

const Id = (description: string) => Type.Optional(Type.String({ maxLength: 200, description }));

export const subscribeToReport = operation({
  ...OWN,
  id: 'subscribeToReport',
  viewers: true,
  method: 'POST',
  path: PATH,
  summary:
    'additive: have the report of each month mailed to the caller, from the current month on; at most one of project, tag and status page. The same once more changes its time zone',
  params: OrganizationParams,
  body: Type.Object(
    {
      project_id: Id('only monitors of this project'),
      tag: Id('only monitors that have this tag'),
      status_page_id: Id('only monitors of this status page, under the labels that they have there'),
      timezone: Type.Optional(Type.String({ maxLength: 100, description: 'IANA time zone; UTC' })),
    },
    closed,
  ),
  status: 201,
  reply: ReportSubscription,
  refusals: [400, 409],
});

export const unsubscribeFromReport = operation({
  ...OWN,
  id: 'unsubscribeFromReport',
  viewers: true,
  method: 'DELETE',
  path: `${PATH}/{subscription_id}`,
  summary: 'additive: no longer have a report mailed',
  params: Type.Object({ org_id: Type.String(), subscription_id: Type.String() }),
  status: 204,
});
