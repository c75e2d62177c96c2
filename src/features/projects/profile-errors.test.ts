import { AppError } from '@/lib/errors';
import { createFailure, deleteFailure, updateFailure } from './mutations';

const refused = new AppError('FORBIDDEN', "You don't have permission to delete this startup profile", 403);
const broken = { message: 'relation "x" does not exist', code: '42P01' };

test('SPROF-09 failures carry their message, or the words for an unknown one', () => {
  expect(createFailure(new AppError('STARTUP_EXISTS', 'You already have a project profile', 409))).toBe(
    'Failed to create profile: You already have a project profile',
  );
  expect(createFailure(broken)).toBe('Failed to create profile: Unknown error');
  expect(updateFailure(broken)).toBe('Failed to update project profile');
  expect(deleteFailure(broken)).toBe('Failed to delete project profile');
  expect(deleteFailure(refused)).toBe("You don't have permission to delete this startup profile");
});
