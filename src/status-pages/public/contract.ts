// Browser-safe. The public requests about a status page (docs/rules/status-pages.md#beside-the-page). All of them answer 404
// for a page that is a draft, switched off or archived, and 401 for a locked one.
import { type Static, Type } from 'typebox';
import { PAGE_STATES } from '#src/domain/names.ts';
import { closed, Nullable, operation, UnixSeconds } from '#src/platform/contract.ts';

const SlugParams = Type.Object({ slug: Type.String() });
const State = Type.Enum([...PAGE_STATES]);

const PUBLIC = {
  tag: 'Public status pages',
  right: 'public',
  resource: 'none',
  params: SlugParams,
  refusals: [401, 404],
} as const;

export const PublicStatusPage = Type.Object({
  page: Type.Object({
    name: Type.String(),
    slug: Type.String(),
    description: Nullable(Type.String()),
    headline: Nullable(Type.String()),
    header_nav: Type.Array(Type.Object({ label: Type.String(), href: Type.String() })),
    timezone: Type.String(),
    url: Type.String(),
    has_logo: Type.Boolean(),
    has_logo_dark: Type.Boolean(),
  }),
  as_of_unix: UnixSeconds(),
  state: State,
  groups: Type.Array(
    Type.Object({
      name: Type.String(),
      collapsed: Type.Boolean(),
      state: State,
      monitors: Type.Array(
        Type.Object({
          id: Type.String(),
          label: Type.String(),
          state: State,
          uptime_pct: Nullable(Type.Number()),
          uptime_window_days: Type.Integer(),
          days: Type.Array(
            Type.Object({
              date: Type.String({ description: 'UTC day, YYYY-MM-DD' }),
              uptime_pct: Nullable(Type.Number()),
              downtime_seconds: Type.Integer(),
              maintenance_seconds: Type.Integer(),
            }),
          ),
        }),
      ),
    }),
  ),
  incidents: Type.Array(
    Type.Object({
      id: Type.String(),
      monitors: Type.Array(Type.String({ description: 'public label' })),
      status: Type.Enum(['open', 'closed']),
      severity: Type.String(),
      acknowledged: Type.Boolean(),
      started_at_unix: UnixSeconds(),
      resolved_at_unix: Nullable(UnixSeconds()),
      notes: Type.Array(
        Type.Object({
          id: Type.String(),
          kind: Type.String(),
          body: Type.String(),
          created_at_unix: UnixSeconds(),
        }),
      ),
      postmortem: Nullable(
        Type.Object({
          title: Type.String(),
          summary: Type.String(),
          impact: Type.String(),
          root_cause: Type.String(),
          contributing_factors: Type.String(),
          what_went_well: Type.String(),
          what_went_wrong: Type.String(),
          lessons: Type.String(),
          published_at_unix: UnixSeconds(),
        }),
      ),
    }),
  ),
  maintenance: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      body: Type.String(),
      scheduled_start: UnixSeconds(),
      scheduled_end: UnixSeconds(),
      state: Type.Enum(['upcoming', 'active', 'past']),
      cancelled: Type.Boolean(),
      monitors: Type.Array(Type.String({ description: 'public label' })),
    }),
  ),
});
export type PublicStatusPage = Static<typeof PublicStatusPage>;

export const getPublicStatusPage = operation({
  ...PUBLIC,
  id: 'getPublicStatusPage',
  method: 'GET',
  path: '/public/status-pages/{slug}',
  summary: 'What a status page shows, as JSON',
  status: 200,
  reply: PublicStatusPage,
});

export const getPublicSummary = operation({
  ...PUBLIC,
  id: 'getPublicStatusPageSummary',
  method: 'GET',
  path: '/public/status-pages/{slug}/summary.json',
  summary: "What a status page shows, in the shape of Statuspage's api/v2/summary.json",
  status: 200,
  produces: 'application/json',
});

export const BADGE_STYLES = ['flat', 'flat-square', 'for-the-badge'] as const;

export const getPublicBadge = operation({
  ...PUBLIC,
  id: 'getPublicStatusPageBadge',
  method: 'GET',
  path: '/public/status-pages/{slug}/badge.svg',
  summary: 'A badge of the page, or of one of its monitors',
  query: Type.Object({
    monitor: Type.Optional(Type.String({ maxLength: 200, description: 'monitor id; absent: the page' })),
    metric: Type.Optional(Type.Enum(['status', 'uptime'])),
    style: Type.Optional(Type.Enum([...BADGE_STYLES])),
  }),
  status: 200,
  produces: 'image/svg+xml',
});

export const getPublicRss = operation({
  ...PUBLIC,
  id: 'getPublicStatusPageRss',
  method: 'GET',
  path: '/public/status-pages/{slug}/feed.rss',
  summary: 'Incidents and maintenance of a status page, as RSS',
  status: 200,
  produces: 'application/rss+xml',
});

export const getPublicAtom = operation({
  ...PUBLIC,
  id: 'getPublicStatusPageAtom',
  method: 'GET',
  path: '/public/status-pages/{slug}/feed.atom',
  summary: 'Incidents and maintenance of a status page, as Atom',
  status: 200,
  produces: 'application/atom+xml',
});

export const getPublicCalendar = operation({
  ...PUBLIC,
  id: 'getPublicStatusPageMaintenance',
  method: 'GET',
  path: '/public/status-pages/{slug}/maintenance.ics',
  summary: 'Public maintenance of a status page, as iCalendar',
  status: 200,
  produces: 'text/calendar',
});

export const getPublicLogo = operation({
  ...PUBLIC,
  id: 'getPublicStatusPageLogo',
  method: 'GET',
  path: '/public/status-pages/{slug}/logo',
  summary: 'The logo of a status page',
  status: 200,
  produces: 'image/*',
});

export const getPublicLogoDark = operation({
  ...PUBLIC,
  id: 'getPublicStatusPageLogoDark',
  method: 'GET',
  path: '/public/status-pages/{slug}/logo-dark',
  summary: 'The logo of a status page on dark ground',
  status: 200,
  produces: 'image/*',
});

export const getPublicWidget = operation({
  ...PUBLIC,
  id: 'getPublicStatusPageWidget',
  method: 'GET',
  path: '/public/status-pages/{slug}/embed',
  summary: 'A small widget for other sites, as HTML for a frame',
  status: 200,
  produces: 'text/html',
});

export const unlockStatusPage = operation({
  ...PUBLIC,
  id: 'unlockStatusPage',
  method: 'POST',
  path: '/public/status-pages/{slug}/unlock',
  summary: 'Unlock a page with its shared password; sets a cookie of this page alone',
  throttled: true,
  body: Type.Object({ password: Type.String({ maxLength: 128 }) }, closed),
  status: 204,
  refusals: [400, 401, 404],
});

export const leaveStatusPage = operation({
  ...PUBLIC,
  id: 'leaveStatusPage',
  method: 'POST',
  path: '/public/status-pages/{slug}/logout',
  summary: 'Leave a locked page: takes its cookie away, and ends the session of a viewer',
  throttled: true,
  status: 204,
  refusals: [404],
});

export const logInToStatusPage = operation({
  ...PUBLIC,
  id: 'logInToStatusPage',
  method: 'POST',
  path: '/public/status-pages/{slug}/login',
  summary: 'Sign in as a viewer of the page; sets a cookie of this page alone',
  throttled: true,
  body: Type.Object(
    {
      username: Type.String({ maxLength: 254, description: 'user name or e-mail address' }),
      password: Type.String({ maxLength: 128 }),
    },
    closed,
  ),
  status: 204,
  refusals: [400, 401, 404],
});
