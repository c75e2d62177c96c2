// @vitest-environment jsdom
import { chosenRole } from './roles';

beforeEach(() => localStorage.clear());

it('AUTH-03 the role kept here counts unless it is the choice of somebody else, or none', () => {
  expect(chosenRole('user_1')).toEqual({ stored: null, owner: null });
  localStorage.setItem('selectedRole', 'admin');
  expect(chosenRole('user_1')).toEqual({ stored: 'admin', owner: null });
  localStorage.setItem('questboard.role-owner', 'user_1');
  expect(chosenRole('user_1')).toEqual({ stored: 'admin', owner: 'user_1' });
  expect(chosenRole('user_2')).toEqual({ stored: null, owner: 'user_1' });
  localStorage.setItem('selectedRole', 'emperor');
  expect(chosenRole('user_1').stored).toBeNull();
});
