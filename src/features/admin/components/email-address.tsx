import { Fragment } from 'react';

/** An email address that, where it is too long for a line, wraps before its @ or a dot of its domain. */
export function EmailAddress({ children: address }: { children: string }) {
  return [...address.matchAll(/^[^@]+|[@.][^@.]*/g)].map(({ 0: part, index: start }) => (
    <Fragment key={start}>
      {start > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
