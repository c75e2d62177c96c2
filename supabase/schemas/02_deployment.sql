-- Settings of one installation. Set once in the SQL editor (docs/deploy.md); no API role can read or write them.

create table private.deployment (
  id boolean primary key default true check (id),
  token_issuer text check (token_issuer ~ '^https?://[^/[:space:]]+$'),
  address_header text not null default 'cf-connecting-ip' check (address_header ~ '^[a-z0-9-]+$'),
  trusted_hops integer not null default 1 check (trusted_hops between 1 and 10),
  anonymous_writes_per_minute integer not null default 600 check (anonymous_writes_per_minute >= 0),
  anonymous_writes_per_day integer not null default 5000 check (anonymous_writes_per_day >= 0),
  metrics_bytes_per_day bigint not null default 52428800 check (metrics_bytes_per_day >= 0),
  mails_per_day integer not null default 10000 check (mails_per_day >= 0),
  digest_hour integer not null default 7 check (digest_hour between 0 and 23),
  has_live_updates boolean not null default false
);
comment on table private.deployment is 'Settings and ceilings of this installation; exactly one row.';
comment on column private.deployment.token_issuer is
  'The iss claim of the identity provider''s tokens, without a trailing slash; a caller with a token from any other issuer counts as a '
  'visitor (TRUST-29). Null: not configured, which npm run doctor reports; every token that the platform accepts is then trusted.';
comment on column private.deployment.address_header is
  'Lower-case name of the request header that the platform sets to the caller''s IP address (TRUST-24). Behind another proxy: the header '
  'that the proxy overwrites, or x-forwarded-for with trusted_hops.';
comment on column private.deployment.trusted_hops is
  'Which entry of the list in address_header is the caller, counted from the end: the number of our own proxies that append to it.';
comment on column private.deployment.anonymous_writes_per_minute is 'Ceiling for the writes of all visitors together, per minute.';
comment on column private.deployment.anonymous_writes_per_day is
  'Ceiling for the writes of all visitors together, per day and kind of write.';
comment on column private.deployment.metrics_bytes_per_day is 'Bytes of usage events stored per day; later events are dropped.';
comment on column private.deployment.mails_per_day is 'Mails sent per day; later ones wait for the next day.';
comment on column private.deployment.digest_hour is 'Hour (UTC) from which the founders'' daily digest is sent.';
comment on column private.deployment.has_live_updates is 'Whether Realtime is used; set by private.enable_live_updates().';
insert into private.deployment default values;
