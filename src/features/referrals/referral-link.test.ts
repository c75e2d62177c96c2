import { referralCodeIn, referralLink } from './referral-link';

it('REF-03 the link is the site root with the code as ref', () => {
  expect(referralLink('REF12AB', 'https://questboard.example/some/page?x=1')).toBe(
    'https://questboard.example/?ref=REF12AB',
  );
});

it('finds the code in an address and rejects malformed ones', () => {
  expect(referralCodeIn('?utm_source=x&ref=ref12ab')).toBe('REF12AB');
  expect(referralCodeIn('?ref=')).toBeNull();
  expect(referralCodeIn('?ref=<script>')).toBeNull();
  expect(referralCodeIn('')).toBeNull();
});
