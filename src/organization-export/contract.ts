// Browser-safe. An organization as a file (docs/rules/access.md#an-organization-as-a-file).
import { Type } from 'typebox';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, operation } from '../platform/contract.ts';

export const exportOrganization = operation({
  id: 'exportOrganization',
  fresh: true,
  // Not GET: a link on another site must not make a browser fetch it.
  method: 'POST',
  path: '/organizations/{org_id}/export',
  summary:
    'Download everything the organization owns, as `tocsin export` writes it: JSON lines, with the secrets of monitors and targets in clear',
  tag: 'Organizations',
  right: 'admin',
  resource: 'organization',
  params: OrganizationParams,
  query: Type.Object(
    {
      checks_days: Type.Optional(
        Type.Integer({
          minimum: 2,
          maximum: 100,
          description:
            'single checks of so many UTC days, today included; of older ones their roll-ups. Absent: all',
        }),
      ),
    },
    closed,
  ),
  status: 200,
  produces: 'application/x-ndjson',
  refusals: [429],
});
