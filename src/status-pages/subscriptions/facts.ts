// The content of a mail to subscribers: frozen at the change itself, and public data only.

export type AnnouncementKind =
  | 'incident_linked'
  | 'incident_updated'
  | 'incident_resolved'
  | 'maintenance_announced'
  | 'maintenance_changed'
  | 'maintenance_cancelled'
  | 'maintenance_started'
  | 'maintenance_ended';

export type IncidentFacts = {
  incident_id: string;
  severity: string;
  started_at_unix: number;
  resolved_at_unix: number | null;
  /** The public note or status update that this is about. */
  note: string | null;
};

export type WindowFacts = {
  window_id: string;
  title: string;
  body: string;
  scheduled_start: number;
  scheduled_end: number;
  /** Those of the monitors that the work affects no more. Announcements of earlier versions do not have them. */
  left_nos?: number[];
};

/** One entry of a mail. */
export type Announcement = {
  kind: AnnouncementKind;
  /** Numbers of the monitors that it concerns; empty: the whole page. */
  monitorNos: number[];
  facts: IncidentFacts | WindowFacts;
  atUnix: number;
};

export const isIncident = (
  announcement: Announcement,
): announcement is Announcement & { facts: IncidentFacts } => 'incident_id' in announcement.facts;
