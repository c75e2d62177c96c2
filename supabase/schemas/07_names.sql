-- Rules for chosen names: no invisible characters, no look-alikes of other names, nothing that poses as Questboard (C-96).

create function private.has_hidden_characters(p_text text) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  -- Joiners are seen where they join: the parts of an emoji, Arabic letters that would else take another form, and letters of Indian
  -- scripts on both sides of a virama. A Malayalam letter takes its other form at the end of a word too, and Bengali may have the joiner
  -- before the virama, between ra and ya.
  return regexp_replace(p_text, '(?<=[\u2190-\u2bff\ufe0f\U0001f000-\U0001faff])\u200d(?=[\u2190-\u2bff\U0001f000-\U0001faff])'
      || '|(?<=[\u0620-\u06ff])\u200c(?=[\u0620-\u06ff])'
      || '|(?<=[\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d4d\u0dca])[\u200c\u200d](?=[\u0904-\u0df5])'
      || '|(?<=[\u0d15-\u0d39]\u0d4d)\u200d|(?<=\u09b0)\u200d(?=\u09cd\u09af)', '', 'g')
    ~ ('[\u0001-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e'
    || '\u2060-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffc\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d159'
    || '\U0001d173-\U0001d17a\U000e0000-\U000e0fff]'
    -- An accent without a letter is drawn over whatever stands before the text.
    || '|^\s*[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]');
end $$;
comment on function private.has_hidden_characters(text) is
  'Whether a text holds control characters, bidirectional marks, or invisible characters, or begins with an accent that has no letter.';

create function private.name_skeleton(p_name text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  -- First thin spaces and trade mark signs, then compatibility forms with accents and variation selectors, which all leave a word looking
  -- the same, then Cyrillic and Greek homoglyphs, then small capitals, Lisu, Cherokee, Armenian and rarer Cyrillic ones, then look-alikes
  -- within Latin.
  return translate(lower(translate(translate(
    regexp_replace(normalize(regexp_replace(p_name, '[\u2000-\u200a\u202f\u205f\u2120\u2122]', '', 'g'), NFKD),
      '[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]', '', 'g'),
    'АВЕЅІЈКМНОРСТХУаеѕіјкмнорстхуԁһԛԝѵгΑΒΕΖΗΙΚΜΝΟΡΤΥΧαβεικνορτυχϲϳıłøđɑɡвьЬєσηωμϜғ℮ɛɾ',
    'abesijkmhopctxyaesijkmhopctxydhqwvrabezhikmnoptyxabeikvoptyxcjilodagbbbeonwuffeer'
  ),
    'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃՕՍօոսհյցզԀԚԜѴԌԍӀӏҮү',
    'abcdefghijklmnopqrstuvwyzabcdefghijklmnoprstuvwxyzabcdeghijklmprstvwyzouonuhjgqdqwvggllyy'
  )), 'il|10', 'llllo');
end $$;
comment on function private.name_skeleton(text) is
  'Homoglyph skeleton of a name: two names with the same skeleton are easily confused (Unicode TS 39, for Latin, Cyrillic, Greek, '
  'Lisu, Cherokee and Armenian).';

create function private.project_skeleton(p_name text) returns text
language plpgsql immutable set search_path = ''
as $$
begin
  return coalesce(nullif(regexp_replace(private.name_skeleton(p_name), '[^[:alnum:]]', '', 'g'), ''), lower(p_name));
end $$;
comment on function private.project_skeleton(text) is 'Skeleton of a project''s name, without spaces and punctuation.';

create function private.name_words(p_name text) returns text[]
language plpgsql immutable set search_path = ''
as $$ begin return array_remove(regexp_split_to_array(private.name_skeleton(p_name), '[^[:alnum:]]+'), ''); end $$;
comment on function private.name_words(text) is 'The words of a name, each as its skeleton.';

create function private.reserved_words() returns text[]
language plpgsql immutable set search_path = ''
as $$
begin
  return private.name_words('support admin admins administrator official moderator moderators staff helpdesk root system');
end $$;
comment on function private.reserved_words() is 'Words that suggest the name speaks for Questboard, each as its skeleton.';

create function private.names_questboard(p_text text) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  return strpos(array_to_string(private.name_words(p_text), ' '), private.name_skeleton('Questboard')) > 0;
end $$;
comment on function private.names_questboard(text) is 'Whether a word contains "Questboard", as "Questboards" and "QuestboardTeam" do.';

create function private.erased_name() returns text
language sql immutable set search_path = ''
as $$ select 'Deleted member' $$;
comment on function private.erased_name() is 'What erased accounts are called (anonymise_user). It is nobody''s name.';

create function private.is_reserved_name(p_name text) returns boolean
language plpgsql immutable set search_path = ''
as $$
begin
  return private.name_words(p_name) && private.reserved_words() or private.names_questboard(p_name)
    or private.name_words(p_name) = private.name_words(private.erased_name());
end $$;
comment on function private.is_reserved_name(text) is
  'Whether one of the name''s words is reserved, or the name is that of erased accounts.';

create function private.validate_name(p_name text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  if private.has_hidden_characters(p_name) then
    perform private.raise_error('HIDDEN_CHARACTERS', 'Please use visible characters only', 400);
  elsif private.is_reserved_name(p_name) and not private.is_admin() then
    perform private.raise_error('RESERVED_NAME', 'This name is reserved. Please choose another one.', 400);
  end if;
  return private.clean(p_name);
end $$;
comment on function private.validate_name(text) is
  'A person''s or project''s name, trimmed. Admins may use reserved words. Errors: HIDDEN_CHARACTERS, RESERVED_NAME.';

create function private.validate_title(p_title text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  if private.has_hidden_characters(p_title) then
    perform private.raise_error('HIDDEN_CHARACTERS', 'Please use visible characters only', 400);
  elsif (private.names_questboard(p_title) or private.name_words(p_title) <@ private.reserved_words()) and not private.is_admin() then
    perform private.raise_error('RESERVED_NAME', 'This name is reserved. Please choose another one.', 400);
  end if;
  return private.clean(p_title);
end $$;
comment on function private.validate_title(text) is
  'Title of a quest, trimmed. "Write to our support" is an honest title, so a title may hold reserved words but not consist of them, and '
  'may not name Questboard. Errors: HIDDEN_CHARACTERS, RESERVED_NAME.';

create function private.plain_name(p_name text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  if private.has_hidden_characters(p_name) or (private.is_reserved_name(p_name) and not private.is_admin()) then
    return null;
  end if;
  return private.clean(p_name);
end $$;
comment on function private.plain_name(text) is
  'The name that the identity provider reports; null when validate_name would refuse it, so that signing in never fails because of it.';

create function private.validate_startup_text(p_name text, p_code text, p_message text, p_description text) returns text
language plpgsql stable set search_path = ''
as $$
begin
  if private.clean(p_name) is null then
    perform private.raise_error(p_code, p_message, 400);
  end if;
  if length(private.clean(p_name)) > 120 then
    perform private.raise_error('NAME_TOO_LONG', 'Please use a shorter name', 400);
  end if;
  if length(p_description) > 2000 then
    perform private.raise_error('DESCRIPTION_TOO_LONG', 'Please use at most 2000 characters for the description', 400);
  end if;
  return private.validate_name(p_name);
end $$;
comment on function private.validate_startup_text(text, text, text, text) is
  'Trimmed name. Errors: NAME_REQUIRED, NAME_TOO_LONG, HIDDEN_CHARACTERS, RESERVED_NAME, DESCRIPTION_TOO_LONG.';
