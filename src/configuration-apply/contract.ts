// Browser-safe. An organization as code: its configuration in one file, and what applying the file does
// (docs/rules/configuration-files.md).
import { type Static, Type } from 'typebox';
import { AlarmStandardWrite, AlertProfileCreate } from '../alarm-policy/contract.ts';
import { MonitorCreate, PolicyWrite } from '../monitors/contract.ts';
import { createWebhook } from '../notifications/contract.ts';
import { putOnCallSettings } from '../on-call/contract.ts';
import { OrganizationParams } from '../organizations/contract.ts';
import { closed, LARGE_BODY_LIMIT, Nullable, operation } from '../platform/contract.ts';
import { StatusPageMonitors, StatusPageSettings } from '../status-pages/contract.ts';

/** A name in the file: of a monitor also `Project/Monitor`. */
const Name = Type.String({ maxLength: 200 });
const Reference = Type.String({ maxLength: 401 });

const {
  alert_profile_id: _profile,
  effective_alarm: _readOnly,
  ...policy
} = (PolicyWrite as typeof PolicyWrite).properties;
const { depends_on: _dependsOn, policy: _policy, config, ...monitor } = MonitorCreate.properties;
/** A monitor, with names where the interface has ids. */
export const DeclaredMonitor = Type.Object(
  {
    ...monitor,
    config: Type.Optional(config),
    alert_profile: Type.Optional(Nullable(Name)),
    policy: Type.Optional(Nullable(Type.Object(policy, closed))),
    depends_on: Type.Optional(Nullable(Type.Array(Reference, { maxItems: 10 }))),
  },
  closed,
);
export type DeclaredMonitor = Static<typeof DeclaredMonitor>;

const DeclaredProject = Type.Object(
  { name: Name, monitors: Type.Optional(Type.Array(DeclaredMonitor)) },
  closed,
);
export type DeclaredProject = Static<typeof DeclaredProject>;

const { project_ids: _projectIds, ...target } = createWebhook.body!.properties;
export const DeclaredWebhook = Type.Object(
  { ...target, projects: Type.Optional(Type.Array(Name, { maxItems: 50 })) },
  closed,
);
export type DeclaredWebhook = Static<typeof DeclaredWebhook>;

const {
  manual_duty_user_id: _manual,
  entitled: _entitled,
  current_duty_user_id: _duty,
  ...onCall
} = putOnCallSettings.body!.properties;
const Address = Type.String({ maxLength: 320 });
export const DeclaredOnCall = Type.Object(
  {
    ...onCall,
    manual_duty: Type.Optional(Nullable(Address)),
    roster: Type.Optional(Type.Array(Address, { maxItems: 200 })),
  },
  closed,
);
export type DeclaredOnCall = Static<typeof DeclaredOnCall>;

const {
  id: _id,
  organization_id: _organization,
  shared_password_protected: _protected,
  shared_password_set: _set,
  monitor_count: _count,
  public_viewable: _public,
  password_protected: _login,
  enabled,
  ...page
} = StatusPageSettings.properties;
const { monitor_id: _monitorId, ...shown } = StatusPageMonitors.items.properties;
export const DeclaredPage = Type.Object(
  {
    ...page,
    enabled: Type.Optional(enabled),
    monitors: Type.Optional(
      Type.Array(Type.Object({ monitor: Reference, ...shown }, closed), { maxItems: 200 }),
    ),
    tags: Type.Optional(Type.Array(Type.String({ maxLength: 1000 }), { maxItems: 100 })),
  },
  closed,
);
export type DeclaredPage = Static<typeof DeclaredPage>;

/** The file: a section that it lacks is left as it is. */
export const ConfigurationFile = Type.Object(
  {
    organization: Type.Optional(Type.String({ maxLength: 200, description: 'its slug or id' })),
    alarm_standard: Type.Optional(Nullable(AlarmStandardWrite)),
    alert_profiles: Type.Optional(Type.Array(AlertProfileCreate)),
    projects: Type.Optional(Type.Array(DeclaredProject)),
    webhooks: Type.Optional(Type.Array(DeclaredWebhook)),
    on_call: Type.Optional(DeclaredOnCall),
    status_pages: Type.Optional(Type.Array(DeclaredPage)),
  },
  closed,
);
export type ConfigurationFile = Static<typeof ConfigurationFile>;

/** The kinds of things in a file, in the order in which they are applied. */
export const APPLIED_KINDS = [
  'alarm_standard',
  'alert_profile',
  'project',
  'monitor',
  'webhook',
  'on_call_settings',
  'on_call_roster',
  'status_page',
] as const;
export type AppliedKind = (typeof APPLIED_KINDS)[number];

export const APPLY_OUTCOMES = [
  'created',
  'updated',
  'unchanged',
  'deleted',
  'not_in_file',
  'refused',
] as const;

export const AppliedThing = Type.Object({
  kind: Type.Enum([...APPLIED_KINDS]),
  name: Nullable(Type.String({ description: 'of a monitor: Project/Monitor' })),
  outcome: Type.Enum([...APPLY_OUTCOMES], {
    description: 'not_in_file: the organization has it, the file does not, and it stays as it is',
  }),
  changed: Type.Array(Type.String(), { description: 'fields that have another value than before' }),
  path: Nullable(Type.String({ description: 'its place in the file: projects.0.monitors.3' })),
  refusal: Nullable(
    Type.Object({ error: Type.String(), message: Type.String(), field: Type.Optional(Type.String()) }),
  ),
  secret: Type.Optional(
    Type.String({
      description: 'signing secret of a webhook that was created: in this answer, and never again',
    }),
  ),
});
export type AppliedThing = Static<typeof AppliedThing>;

export const ApplyReport = Type.Object({
  dry_run: Type.Boolean({ description: 'true: nothing was written' }),
  things: Type.Array(AppliedThing),
});
export type ApplyReport = Static<typeof ApplyReport>;

export const applyConfiguration = operation({
  id: 'applyConfiguration',
  method: 'POST',
  path: '/organizations/{org_id}/apply',
  summary: 'Bring the organization to the state that a configuration file declares: all of it, or nothing',
  tag: 'Organizations',
  right: 'project_management',
  resource: 'organization',
  scope: 'organization:write',
  params: OrganizationParams,
  query: Type.Object(
    {
      dry_run: Type.Optional(
        Type.Boolean({
          description: 'true: only say what would change, and all that would be refused; nothing is written',
        }),
      ),
      prune: Type.Optional(
        Type.Boolean({ description: 'true: delete what the sections of the file do not contain' }),
      ),
    },
    closed,
  ),
  body: ConfigurationFile,
  bodyLimit: LARGE_BODY_LIMIT,
  status: 200,
  reply: ApplyReport,
  refusals: [402, 409, 429],
});

export const getConfiguration = operation({
  id: 'getConfiguration',
  method: 'GET',
  path: '/organizations/{org_id}/configuration',
  summary:
    'The organization as the configuration file that declares it, secrets masked or left out: the sections that the caller may write',
  tag: 'Organizations',
  right: 'project_management',
  resource: 'organization',
  scope: 'organization:read',
  params: OrganizationParams,
  status: 200,
  reply: ConfigurationFile,
});
