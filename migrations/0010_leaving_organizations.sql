-- An organization that is deleted takes its rows along; without these indexes every one of them would be searched for in
-- the incidents and the logs of everybody.

CREATE INDEX incidents_monitor_no ON incidents (monitor_no);
CREATE INDEX incidents_project ON incidents (project_id);
CREATE INDEX outbox_org ON outbox (org_id);
CREATE INDEX deliveries_org ON deliveries (org_id);
