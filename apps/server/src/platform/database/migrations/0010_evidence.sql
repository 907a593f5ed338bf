-- Pictures that members hand in about an order. They change neither money nor status.
create table evidence (
  evidence_id uuid primary key,
  order_id uuid not null,
  member_id uuid not null references members,
  -- holds a member to five pictures of an order, also when several come at once
  number smallint not null check (number between 1 and 5),
  kind text not null check (kind in ('confirm', 'reject', 'report')),
  -- WebP as the service has drawn it; null once it is deleted, which what is known of it outlives
  picture bytea,
  bytes integer not null check (bytes between 1 and 204800),
  width smallint not null check (width between 1 and 1600),
  height smallint not null check (height between 1 and 1600),
  sha256 bytea not null,
  sent_at timestamptz not null,
  deleted_at timestamptz,
  constraint evidence_of_member unique (order_id, member_id, number),
  constraint evidence_content check (
    picture is null or (octet_length(picture) = bytes and sha256(picture) = sha256)),
  constraint evidence_deleted check ((picture is null) = (deleted_at is not null))
);
-- a picture is compressed already
alter table evidence alter column picture set storage external;
-- other orders that the same picture was handed in for
create index evidence_by_content on evidence (sha256);
-- what is still to be deleted, by age
create index evidence_kept on evidence (sent_at) where picture is not null;

alter table settings add column evidence_days integer not null default 180
  check (evidence_days between 1 and 3650);
