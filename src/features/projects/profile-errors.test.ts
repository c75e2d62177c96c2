import { AppError, describeError } from '@/lib/errors';
import { projectErrors } from './mutations';

const refused = new AppError('FORBIDDEN', "You don't have permission to delete this startup profile", 403);
const broken = { message: 'relation "x" does not exist', code: '42P01' };

test('SPROF-09 failures show their message, or the sentence for unknown errors', () => {
  expect(
    describeError(new AppError('STARTUP_EXISTS', 'You already have a project profile', 409), projectErrors.create),
  ).toBe('Failed to create profile: You already have a project profile');
  expect(describeError(broken, projectErrors.create)).toBe('Failed to create profile: Unknown error');
  expect(describeError(broken, projectErrors.update)).toBe('Failed to update project profile');
  expect(describeError(broken, projectErrors.delete)).toBe('Failed to delete project profile');
  expect(describeError(refused, projectErrors.delete)).toBe("You don't have permission to delete this startup profile");
});
