-- One verified mailbox is one person, whatever its spelling.

create table private.secrets (
  name text primary key,
  value bytea not null
);
comment on table private.secrets is 'Keys of keyed hashes, made at installation.';
insert into private.secrets (name, value) values ('mailbox', extensions.gen_random_bytes(32));

create function private.mailbox_key(p_email text) returns bytea
language plpgsql stable security definer set search_path = ''
as $$
begin
  return extensions.hmac(convert_to(lower(private.clean(p_email)), 'UTF8'),
    (select s.value from private.secrets s where s.name = 'mailbox'), 'sha256');
end $$;
comment on function private.mailbox_key(text) is 'Keyed hash (HMAC-SHA256) of a mailbox.';
