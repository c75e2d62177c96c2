-- What depends on where the product is installed. Set once in the SQL editor (docs/deploy.md); no API role reads or writes it.

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
comment on table private.deployment is 'Facts and ceilings of this installation, exactly one row.';
comment on column private.deployment.token_issuer is
  'The iss claim of the identity provider''s tokens, without a slash at its end; tokens of others are nobody (TRUST-29). Null: not set up '
  'yet, which npm run doctor reports; then whatever token the platform accepts is believed.';
comment on column private.deployment.address_header is
  'Lower-case name of the request header in which the platform vouches for the caller''s address (TRUST-24). Behind another proxy: the '
  'header that it overwrites, or x-forwarded-for with trusted_hops.';
comment on column private.deployment.trusted_hops is
  'Which entry of a list in address_header is the caller, counted from its end: the number of own proxies that append to it.';
comment on column private.deployment.anonymous_writes_per_minute is 'Writes of all visitors together in a minute.';
comment on column private.deployment.anonymous_writes_per_day is 'Writes of all visitors together in a day, for each kind of write.';
comment on column private.deployment.metrics_bytes_per_day is 'Bytes of usage events that are kept a day; further ones are dropped.';
comment on column private.deployment.mails_per_day is 'Mails that the product sends in a day; further ones wait.';
comment on column private.deployment.digest_hour is 'From which hour, UTC, the founders'' daily digest goes out.';
comment on column private.deployment.has_live_updates is 'Whether Realtime is used; set by private.enable_live_updates().';
insert into private.deployment default values;
