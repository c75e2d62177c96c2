import { isUuid } from './uuid';

const id = '0a1b2c3d-0000-4000-8000-00000000000f';

it('accepts an id in either case, and nothing that only contains or resembles one', () => {
  expect(isUuid(id)).toBe(true);
  expect(isUuid(id.toUpperCase())).toBe(true);
  const others = [`x${id}`, `${id}0`, id.slice(1), id.slice(0, -1), id.replaceAll('-', ''), id.replace('-0000', '')];
  expect(others.filter(isUuid)).toEqual([]);
  expect(['', 'new', id.replace('a', 'g'), id.replace('4000', '400'), id.replace('f', 'g')].filter(isUuid)).toEqual([]);
});
