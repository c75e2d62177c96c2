import { AppError, describeError, toAppError } from '@/lib/errors';
import { outcomeUnknownSentence } from '@/lib/send-once';
import { quickVerifyErrors, submitProofErrors, uploadCodes } from './proof-errors';

const describeSubmit = (error: unknown) => describeError(error, submitProofErrors);
const describeVerify = (error: unknown) => describeError(error, quickVerifyErrors(error));

describe('a failed submission', () => {
  it.each([
    [
      new AppError(uploadCodes.invalidKey, 'Upload failed: Invalid key', 400),
      'File upload failed due to invalid filename. Please rename your file and try again.',
    ],
    [new AppError('TOO_LARGE', '', 413), 'File is too large. Please use a file smaller than 10MB.'],
    [toAppError(new TypeError('Failed to fetch')), 'Network error. Please check your connection and try again.'],
    [
      toAppError({ message: 'JWT expired', code: 'PGRST303' }, 401),
      'Authentication error. Please refresh the page and try again.',
    ],
    [
      new AppError('UNAUTHENTICATED', 'Please sign in', 401),
      'Authentication error. Please refresh the page and try again.',
    ],
    [toAppError({ message: 'deadlock detected', code: '40P01' }, 500), 'Failed to submit proof. Please try again.'],
    [new AppError(uploadCodes.failed, 'Upload failed: No data returned'), 'Failed to submit proof. Please try again.'],
    [new Error('anything else'), 'Failed to submit proof. Please try again.'],
  ])('QUEST-22 words %s', (error, sentence) => {
    expect(describeSubmit(error)).toBe(sentence);
  });

  it('keeps the sentence of a business rule', () => {
    expect(describeSubmit(new AppError('QUEST_FULL', 'Quest Full', 409))).toBe('Quest Full');
    expect(describeSubmit(new AppError('RATE_LIMITED', 'Rate limit exceeded', 429))).toBe('Rate limit exceeded');
    const busy = toAppError({ message: 'Too many calls are waiting already', code: 'overloaded' }, 503);
    expect(describeSubmit(busy)).toBe('We are very busy right now. Try again in a moment.');
  });
});

it('C-99 a submission whose answer was lost is reported with what the look-up found', () => {
  expect(describeSubmit(new AppError('OUTCOME_UNKNOWN', outcomeUnknownSentence))).toBe(outcomeUnknownSentence);
  expect(describeSubmit(new AppError('NOT_APPLIED', 'It did not arrive'))).toBe('It did not arrive');
});

it('QUEST-22 a refusal without a code of its own gets the general sentence', () => {
  const refused = toAppError({ message: 'violates check constraint', code: '23514' }, 400);
  expect(describeSubmit(refused)).toBe('Failed to submit proof. Please try again.');
});

describe('a failed quick verify', () => {
  it.each([
    [
      new AppError('ALREADY_SUBMITTED', 'You have already submitted proof for this task', 409),
      'You have already completed this task!',
    ],
    [new AppError('RATE_LIMITED', 'Rate limit exceeded', 429), 'Please wait a moment before trying again.'],
    [toAppError({ message: 'API rate limit exceeded' }, 429), 'Please wait a moment before trying again.'],
    [toAppError(new TypeError('Load failed')), 'Network error. Please check your connection and try again.'],
    [new AppError('UNAUTHENTICATED', 'Please sign in', 401), 'Please sign in again to continue.'],
    [new AppError('FORBIDDEN', 'Forbidden', 403), 'Failed to quick verify: Forbidden'],
  ])('QUEST-15 C-04 words %s', (error, sentence) => {
    expect(describeVerify(error)).toBe(sentence);
  });

  it('QUEST-15 words a database error without showing its message', () => {
    const error = toAppError(
      { message: 'function public.credit_points_safe(text) does not exist', code: '42883' },
      500,
    );
    expect(describeVerify(error)).toBe('A database function has an issue and fallbacks are in use. Please try again.');
  });
});

it('QUEST-15 a database error without a sentence is prefixed, also one that is its own cause', () => {
  const failed = toAppError({ message: 'out of shared memory', code: '53200' }, 500);
  expect(describeVerify(failed)).toMatch(/^Failed to quick verify: /);
  const circular = new AppError('FORBIDDEN', 'Forbidden', 403);
  circular.cause = circular;
  expect(describeVerify(circular)).toBe('Failed to quick verify: Forbidden');
});

it('C-99 quick verify does not report a failure when the outcome is unknown', () => {
  const unknown = new AppError('OUTCOME_UNKNOWN', outcomeUnknownSentence);
  expect(describeError(unknown, quickVerifyErrors(unknown))).toBe(outcomeUnknownSentence);
});
