// The parameters of a scene.

/** Values for the parameters of every path, by their names in the contracts. */
export type Ids = {
  org_id: string;
  project_id: string;
  monitor_id: string;
  /** One that passed. */
  check_id: string;
  incident_id: string;
  target_id: string;
  delivery_id: string;
  invitation_id: string;
  key_id: string;
  window_id: string;
  /** Of a browser of somebody outside the cast. */
  subscription_id: string;
  /** Of no organization: regions belong to the installation. */
  region_slug: string;
  token_id: string;
  /** One with a monitor in the project. */
  agent_id: string;
  probe_id: string;
  profile_id: string;
  /** Of the member `user_id`. */
  override_id: string;
  view_id: string;
  /** A running one of the whole chain. */
  drill_id: string;
  status_page_id: string;
  /** The same: what `/status-pages/{id}` names. */
  id: string;
  /** Of the status page, which has a shared password and logos too; the domain is pending. */
  viewer_id: string;
  domain_id: string;
  sub_id: string;
  /** Of another status page, which is public and has logos. */
  slug: string;
  /** Of a link to the wall display. */
  link_id: string;
  /** A member of role `member` outside the cast. */
  user_id: string;
};
