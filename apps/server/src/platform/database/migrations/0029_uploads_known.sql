-- SHA-256 of a picture as it was sent: the same one again is answered without drawing it. Null: taken
-- by a process of the version before.
alter table evidence add column upload_sha256 bytea;
