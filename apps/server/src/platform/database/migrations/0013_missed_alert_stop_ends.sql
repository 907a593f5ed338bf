-- When the member came back: alerts from before no longer count towards the next stop.
alter table missed_alert_stops add column ended_at timestamptz;
