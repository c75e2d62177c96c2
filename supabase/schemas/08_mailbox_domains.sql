-- Mail domains that say little about who somebody is, for submission flags.

create table private.mailbox_domains (
  domain text primary key check (domain = lower(domain)),
  kind text not null check (kind in ('disposable', 'forwarding'))
);
comment on table private.mailbox_domains is
  'Domains of disposable addresses and forwarding aliases. Apple''s relay is not among them, because many phones offer it by default. How '
  'to update the list: docs/decisions/0026-flags.md.';
insert into private.mailbox_domains (domain, kind)
select unnest(string_to_array(
  '0-mail.com 10mail.org 10minutemail.co.uk 10minutemail.com 10minutemail.net 1secmail.com 1secmail.net 1secmail.org 20minutemail.com '
  '33mail.org anonbox.net anonymbox.com burnermail.io cock.li crazymailing.com deadaddress.com discard.email discardmail.com '
  'dispostable.com dropmail.me easytrashmail.com emailfake.com emailondeck.com emailtemporanea.com fakeinbox.com fakemail.net '
  'fakemailgenerator.com filzmail.com generator.email getairmail.com getnada.com grr.la guerrillamail.biz guerrillamail.com '
  'guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org guerrillamailblock.com harakirimail.com inboxbear.com '
  'inboxkitten.com incognitomail.org jetable.org kasmail.com linshiyouxiang.net mail-temp.com mail.tm mailcatch.com maildrop.cc '
  'mailexpire.com mailforspam.com mailinator.com mailinator.net mailinator2.com mailmoat.com mailnesia.com mailnull.com mailpoof.com '
  'mailsac.com mailtemp.net mailto.plus meltmail.com mintemail.com minutebox.com moakt.cc moakt.com mohmal.com mt2015.com '
  'mytemp.email mytrashmail.com nada.email no-spam.ws nospamfor.us notmailinator.com nowmymail.com one-time.email onetimemail.com '
  'owlymail.com pokemail.net rcpt.at sharklasers.com sogetthis.com spam4.me spambog.com spambox.us spamex.com spamfree24.org '
  'spamgourmet.com spamhole.com spaml.com tafmail.com temp-mail.io temp-mail.org tempail.com tempemail.net tempinbox.com tempm.com '
  'tempmail.dev tempmail.net tempmail.plus tempmailaddress.com tempmailo.com temporary-mail.net tempr.email thankyou2010.com '
  'throwam.com throwawaymail.com tmail.ws tmpmail.net tmpmail.org trash-mail.com trashmail.com trashmail.de trashmail.me '
  'trashmail.net trashymail.com trbvm.com wegwerfemail.de wegwerfmail.de wegwerfmail.net yopmail.com yopmail.fr yopmail.net '
  'zetmail.com', ' ')), 'disposable';
insert into private.mailbox_domains (domain, kind)
select unnest(string_to_array(
  '33mail.com addy.io aleeas.com anonaddy.com anonaddy.me duck.com erine.email mozmail.com passmail.com passmail.net '
  'relay.firefox.com silomails.com simplelogin.co simplelogin.com simplelogin.fr slmail.me slmails.com', ' ')), 'forwarding';
