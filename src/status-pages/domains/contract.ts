// Browser-safe. Status pages on people's own domains (docs/rules/status-pages.md#custom-domains).
import { type Static, Type } from 'typebox';
import { closed, Nullable, operation, UnixSeconds } from '#src/platform/contract.ts';
import { StatusPageParams } from '../contract.ts';

export const DOMAIN_STATUSES = ['pending', 'verified', 'failed'] as const;
export type DomainStatus = (typeof DOMAIN_STATUSES)[number];
export const CERTIFICATE_STATUSES = ['pending', 'issued', 'failed'] as const;
export type CertificateStatus = (typeof CERTIFICATE_STATUSES)[number];

export const CustomDomain = Type.Object({
  id: Type.String(),
  domain: Type.String({ description: 'As DNS has it: lower case, punycode, no dot at the end' }),
  cname_target: Type.String({ description: 'What the CNAME record of the domain has to point at' }),
  status: Type.Enum([...DOMAIN_STATUSES]),
  verification_method: Type.Enum(['cname', 'txt'], { description: 'Always cname' }),
  verification_token: Type.String(),
  verified_at: Nullable(UnixSeconds()),
  cert_status: Nullable(
    Type.Enum([...CERTIFICATE_STATUSES], {
      description: 'What the edge reports; null while it was not asked',
    }),
  ),
  edge_synced: Type.Boolean({
    description: 'Whether the edge has the domain; a verified one without it does not serve yet',
  }),
  last_error: Nullable(Type.String({ description: 'Why it is not verified, or has no certificate' })),
});
export type CustomDomain = Static<typeof CustomDomain>;

const OfDomain = Type.Object({ id: Type.String(), domain_id: Type.String() });

export const listDomains = operation({
  id: 'listStatusPageDomains',
  method: 'GET',
  path: '/status-pages/{id}/domains',
  summary: 'Custom domains of a status page, oldest first',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:read',
  params: StatusPageParams,
  status: 200,
  reply: Type.Array(CustomDomain),
});

export const addDomain = operation({
  id: 'addStatusPageDomain',
  method: 'POST',
  path: '/status-pages/{id}/domains',
  summary: 'Add a custom domain. Its CNAME record is looked up in the background, for 72 hours',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: StatusPageParams,
  body: Type.Object(
    {
      domain: Type.String({ maxLength: 1000 }),
      method: Type.Optional(
        Nullable(Type.String({ deprecated: true, description: 'Ignored: verification is always by CNAME' })),
      ),
    },
    closed,
  ),
  status: 201,
  reply: CustomDomain,
});

export const verifyDomain = operation({
  id: 'verifyStatusPageDomain',
  method: 'POST',
  path: '/status-pages/{id}/domains/{domain_id}/verify',
  summary: 'Look up the CNAME record of a domain now; answers the state either way',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: OfDomain,
  status: 200,
  reply: CustomDomain,
});

export const removeDomain = operation({
  id: 'removeStatusPageDomain',
  method: 'DELETE',
  path: '/status-pages/{id}/domains/{domain_id}',
  summary: 'Remove a custom domain; the edge stops serving it',
  tag: 'Status pages',
  right: 'project_management',
  resource: 'status_page',
  scope: 'status-pages:write',
  params: OfDomain,
  status: 204,
});
