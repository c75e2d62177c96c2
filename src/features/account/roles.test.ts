// @vitest-environment jsdom
import { chosenRole } from './roles';

beforeEach(() => localStorage.clear());

it("AUTH-03 the locally stored role is used unless it is invalid or another person's choice", () => {
  expect(chosenRole('user_1')).toEqual({ stored: null, owner: null });
  localStorage.setItem('selectedRole', 'admin');
  expect(chosenRole('user_1')).toEqual({ stored: 'admin', owner: null });
  localStorage.setItem('questboard.role-owner', 'user_1');
  expect(chosenRole('user_1')).toEqual({ stored: 'admin', owner: 'user_1' });
  expect(chosenRole('user_2')).toEqual({ stored: null, owner: 'user_1' });
  localStorage.setItem('selectedRole', 'emperor');
  expect(chosenRole('user_1').stored).toBeNull();
});
