import { parseWhole } from './form-fields';

test.each([
  ['25', 25],
  ['', 0],
  ['abc', 0],
  ['0', 1],
  ['1000', 1000],
  ['1001', 1000],
  ['-3', 1],
  ['12.9', 12],
])('QNEW-16 C-36 points per person read %j as %i', (text, value) => {
  expect(parseWhole(text, { fallback: 0, min: 1, max: 1000 })).toBe(value);
});

test.each([
  ['', 1],
  ['many', 1],
  ['0', 1],
  ['5000', 1000],
])('QNEW-16 C-36 max participants read %j as %i', (text, value) => {
  expect(parseWhole(text, { fallback: 1, min: 1, max: 1000 })).toBe(value);
});
