-- Members' sessions end some time after their last use, and operators see when a script token was last used.
alter table sessions add column last_used_at timestamptz;

-- Script tokens have an end like everything else. Those made without one get the time that a new one has.
update sessions set expires_at = now() + interval '90 days' + (select clock_offset_ms * interval '1 millisecond' from settings) where expires_at is null;
