// The public data of a status page, and nothing else. Every document of a page (HTML, JSON, badges, feeds, calendar, widget) is
// rendered from it, so data that is not in it cannot leak. read-snapshot.ts reads it.
import type { AccessMode, PageLanguage, PageState } from '#src/domain/names.ts';

/** A status page at one moment. Texts are as people wrote them; every renderer must escape them. */
export type Snapshot = {
  page: PublicPage;
  /** When it was read. */
  at: Date;
  state: PageState;
  groups: PublicGroup[];
  /** Linked incidents that are open or began in the last twelve months, newest first; no discarded ones. */
  incidents: PublicIncident[];
  /** Public windows that ended in the last twelve months, are active, or begin in the next 90 days, by their start. */
  maintenance: PublicWindow[];
};

export type PublicPage = {
  id: string;
  orgId: string;
  name: string;
  slug: string;
  description: string | null;
  headline: string | null;
  headerNav: { label: string; href: string }[];
  /** IANA zone of the times on the page. */
  timezone: string;
  hidesBrand: boolean;
  hasLogo: boolean;
  hasLogoDark: boolean;
  accessMode: Exclude<AccessMode, 'draft'>;
  /** Whether visitors can subscribe by mail. */
  subscribable: boolean;
};

export type PublicGroup = { name: string; collapsed: boolean; state: PageState; monitors: PublicMonitor[] };

export type PublicMonitor = {
  /** Monitor id, as in the addresses of badges. */
  id: string;
  label: string;
  state: Exclude<PageState, 'partial_outage'>;
  /** Days of the window, today (UTC) included. */
  windowDays: number;
  /** Uptime over the window, in percent (docs/rules/figures.md#uptime); null: unknown. */
  uptimePct: number | null;
  /** The days of the window, oldest first; null: the page does not show them. */
  days: PublicDay[] | null;
  /** Average response times of the last 24 hours in ms, oldest first, null where nothing was measured; null: not shown. */
  sparkline: (number | null)[] | null;
  /** Average response times over the window; null: not shown, or the monitor measures none. */
  chart: ResponseTimes | null;
};

export type PublicDay = {
  /** UTC day, YYYY-MM-DD. */
  date: string;
  /** null: unknown. */
  uptimePct: number | null;
  downtimeSeconds: number;
  maintenanceSeconds: number;
};

/** Buckets of the same length, oldest first; null where nothing was measured. */
export type ResponseTimes = { fromMs: number; bucketMs: number; averagesMs: (number | null)[] };

/** A monitor of the page that an incident or a window affects. Two may have the same label. */
export type AffectedMonitor = { id: string; label: string };

export type PublicIncident = {
  id: string;
  /** Affected monitors of this page; none if only other monitors, or none, are affected. */
  monitors: AffectedMonitor[];
  severity: 'critical' | 'default' | 'degraded';
  /** null: nobody acknowledged it. */
  acknowledgedAt: Date | null;
  startedAt: Date;
  /** null: open. */
  resolvedAt: Date | null;
  /** Public notes and status updates, newest first. */
  notes: PublicNote[];
  postmortem: PublicPostmortem | null;
};

export type PublicNote = { id: string; kind: 'note' | 'status_update'; body: string; at: Date };

/** A published, public post-mortem; an empty section is ''. */
export type PublicPostmortem = {
  title: string;
  summary: string;
  impact: string;
  rootCause: string;
  contributingFactors: string;
  whatWentWell: string;
  whatWentWrong: string;
  lessons: string;
  publishedAt: Date;
  /** When it was published, or written again since. */
  changedAt: Date;
};

export type PublicWindow = {
  id: string;
  title: string;
  body: string;
  startsAt: Date;
  endsAt: Date;
  /** By its planned times, also of a cancelled one. */
  state: 'upcoming' | 'active' | 'past';
  /** null: it was not. */
  cancelledAt: Date | null;
  /** When it was planned, or last changed or cancelled; its beginning and its end change nothing. */
  changedAt: Date;
  /** Affected monitors of this page. */
  monitors: AffectedMonitor[];
};

/** Uptime of the page's monitors by month, newest first; months are UTC. */
export type MonthlyUptime = {
  /** YYYY-MM */
  month: string;
  monitors: { id: string; label: string; uptimePct: number | null; downtimeSeconds: number }[];
};

/** The place of a document: its own address prefix, and the language. */
export type Shown = {
  /** The prefix of HTML paths: `/status/{slug}` ('' on a custom domain), and the language if the address has it. */
  path: string;
  /** The same without a language. */
  home: string;
  /** The prefix of the other documents: `/public/status-pages/{slug}`, '' on a custom domain. */
  publicPath: string;
  /** Absolute address of the page, without a slash at the end; for feeds, badges and previews of links. */
  url: string;
  /** Absolute address of the other documents (`…/public/status-pages/{slug}`, or the page's own domain). */
  publicUrl: string;
  language: PageLanguage;
};
