import { render } from '@testing-library/react';
import { Points } from './points';

it.each([
  [0, false, '0 points'],
  [1, false, '1 point'],
  [1250, false, '1,250 points'],
  [1, true, '+1 point'],
  [-1, true, '-1 point'],
])('%i points, with a sign: %s, read “%s”', (value, hasSign, words) => {
  expect(render(<Points value={value} hasSign={hasSign} />).container.textContent).toBe(words);
});
