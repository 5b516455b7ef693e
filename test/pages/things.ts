// What a walk knows of its monitors, incidents, windows, pages and subscriptions. All times are whole seconds.
export type Span = [from: number, until: number];
export type Status = 'up' | 'degraded' | 'down';
export type Severity = 'critical' | 'default' | 'degraded';

export type Monitor = {
  of: number;
  name: string;
  /** Which of the two projects it is in. */
  project: number;
  enabled: boolean;
  deleted: boolean;
  tagged: boolean;
  last: Status | null;
  /** Closed by hand or switched off while failing: it recovers with the next passing result. */
  doubtful: boolean;
  checkedAt: number;
  outage: number | null;
  spoken: Span[];
  enabledSince: number;
  enabledTimes: Span[];
};

export type Note = { text: string; isPublic: boolean; at: number };

export type Incident = {
  /** null: the walk has not asked for it yet. */
  id: string | null;
  of: number | null;
  isAutomatic: boolean;
  severity: Severity;
  started: number;
  resolved: number | null;
  acknowledged: boolean;
  discarded: boolean;
  notes: Note[];
  /** The pages that it is on, and since when. */
  links: Map<Page, number>;
};

export type Window = {
  id: string;
  /** Shared by the windows of a repetition. */
  series: number | null;
  title: string;
  body: string;
  start: number;
  end: number;
  isPublic: boolean;
  cancelled: boolean;
  /** Its beginning has come, and not its end. */
  on: boolean;
  of: Set<number>;
  /** When it was planned, last changed or cancelled. */
  changed: number;
};

export type Entry = { of: number; display: string | null; group: string | null };

export type Subscription = {
  reader: number;
  page: Page;
  confirmed: boolean;
  /** It is neither ended nor deleted. */
  alive: boolean;
  chosen: Set<number> | null;
  bounces: number;
  /** Paths of the links in its mails. */
  confirmPath: string | null;
  managePath: string | null;
};

export type Page = {
  id: string;
  slug: string;
  name: string;
  entries: Entry[];
  tagged: boolean;
  mode: 'public' | 'draft' | 'shared_password';
  enabled: boolean;
  autoLink: boolean;
  archived: boolean;
  slugChanges: number;
  subscriptions: Subscription[];
};

/** Visitors can see it, or unlock it. */
export const isServed = ({ archived, enabled, mode }: Page) => !archived && enabled && mode !== 'draft';
