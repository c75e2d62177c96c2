import {
  AppError,
  describeError,
  fillSentence,
  hadNoEffect,
  isBusy,
  isRefusal,
  isSessionExpired,
  rethrow,
  toAppError,
} from './errors';

describe('toAppError', () => {
  it('shows the sentence of a known code', () => {
    const wire = { message: 'Startup profile not found', hint: 'STARTUP_NOT_FOUND', code: 'PT404', details: null };
    expect(toAppError(wire, 404)).toMatchObject({
      code: 'STARTUP_NOT_FOUND',
      message: 'Startup profile not found',
      status: 404,
    });
  });

  it('never shows a raw database message', () => {
    const raw = { message: 'null value in column "points" of relation "wallets"', hint: null, code: '23502' };
    const error = toAppError(raw, 400);
    expect(error.message).toBe('Something went wrong on our side. Please try again.');
    expect(error.cause).toBe(raw);
  });

  it.each([
    ['22P02', 'invalid input syntax for type uuid: "x"'],
    ['22003', 'integer out of range'],
    ['54001', 'stack depth limit exceeded'],
    ['PGRST102', 'Empty or invalid json'],
  ])('reports invalid input for values that the database cannot parse (%s)', (code, message) => {
    expect(toAppError({ message, hint: null, code }, 400)).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Some fields are missing or wrong.',
    });
  });

  it('C-99 does not take an answer without content for a refusal: the database was lost in the middle of the call, which may have had its effect', () => {
    const error = toAppError({ code: '', details: null, hint: null, message: '' }, 400);
    expect(error).toMatchObject({ code: 'UNKNOWN', message: 'Something went wrong on our side. Please try again.' });
    expect([isRefusal(error), hadNoEffect(error)]).toEqual([false, false]);
  });

  it('does not trust a hint that is not in the catalogue', () => {
    const hinted = { message: 'function x() does not exist', hint: 'No function matches', code: '42883' };
    expect(toAppError(hinted, 404).message).not.toContain('function');
  });

  it.each([
    [{ message: 'TypeError: Failed to fetch', code: '' }, 0],
    [new TypeError('Load failed'), undefined],
    [new TypeError('NetworkError when attempting to fetch resource.'), undefined],
  ])('recognises a network failure', (failure, status) => {
    const error = toAppError(failure, status);
    expect(error.code).toBe('NETWORK');
    expect(error.message).toBe('Network error. Please check your connection and try again.');
    expect(isRefusal(error)).toBe(false);
  });

  it('treats a sentence about fetching as a network failure only when there was no response', () => {
    expect(toAppError({ message: 'Failed to fetch the row' }, 500).code).toBe('UNKNOWN');
    expect(toAppError({ message: 'No idea' }, 0).code).toBe('UNKNOWN');
  });

  it.each([[null], [undefined], ['a sentence'], [() => 'message'], [{ text: 'x' }]])(
    'does not know what %s is about, and keeps it',
    (thrown) => {
      expect(toAppError(thrown, 502)).toMatchObject({ code: 'UNKNOWN', status: 502, cause: thrown });
      expect(toAppError(thrown).status).toBe(0);
    },
  );

  it.each([
    ['UNAUTHENTICATED', 401, true],
    ['SESSION_EXPIRED', 401, true],
    ['FORBIDDEN', 403, false],
  ])('%s is solved by signing in again: %3$s', (code, status, isMended) => {
    expect(isSessionExpired(new AppError(code, 'x', status))).toBe(isMended);
    expect(isSessionExpired({ code, status })).toBe(false);
  });

  it.each([
    [399, false],
    [400, true],
    [408, false],
    [429, true],
    [499, true],
    [500, false],
  ])('whether a response of %i is a refusal: %s', (status, isRefused) => {
    expect(isRefusal(new AppError('X', 'x', status))).toBe(isRefused);
    expect(isRefusal({ status })).toBe(false);
  });

  it.each([
    ['the gateway’s limit', { message: 'Too many calls are waiting already', code: 'overloaded', hint: null }, 503],
    ["PostgREST's wait for a connection", { message: 'Timed out acquiring connection', code: 'PGRST003' }, 504],
    ["a rate limit of the platform's edge", { message: 'API rate limit exceeded' }, 429],
  ])('%s means a busy server that has done nothing: retryable, and not an error of ours', (_what, wire, status) => {
    const error = toAppError({ ...wire, requestId: '1a2b3c4d' }, status);
    expect(error).toMatchObject({ code: 'BUSY', status });
    expect(describeError(error)).toBe('We are very busy right now. Try again in a moment.');
    expect([isBusy(error), isRefusal(error), hadNoEffect(error)]).toEqual([true, false, true]);
  });

  it.each([
    ['a rate limit of our own', { message: 'Rate limit exceeded', hint: 'RATE_LIMITED', code: 'PT429' }, 429, true],
    ['a 503 from a proxy in between', { message: '<html>' }, 503, false],
    ['no answer', { message: 'Failed to fetch' }, 0, false],
  ])('%s does not mean a busy server', (_what, wire, status, isWithoutEffect) => {
    const error = toAppError(wire, status);
    expect([isBusy(error), hadNoEffect(error)]).toEqual([false, isWithoutEffect]);
  });

  it('keeps the retry delay, however the failure is worded', async () => {
    const wire = { message: 'busy', code: 'overloaded', retryAfter: 7 };
    expect(toAppError(wire, 503).retryAfter).toBe(7);
    await expect(Promise.reject(toAppError(wire, 503)).catch(rethrow({ prefix: 'Failed' }))).rejects.toMatchObject({
      code: 'BUSY',
      retryAfter: 7,
    });
    expect(toAppError({ message: 'busy', retryAfter: 'soon' }, 503).retryAfter).toBeUndefined();
  });

  it('recognises an expired session and refusals', () => {
    expect(isSessionExpired(toAppError({ message: 'JWT expired', code: 'PGRST301' }, 401))).toBe(true);
    expect(isRefusal(toAppError({ message: 'permission denied for table wallets', code: '42501' }, 403))).toBe(true);
    expect(isRefusal(toAppError({ message: 'boom' }, 503))).toBe(false);
  });

  it('reads the status of a storage error and leaves an AppError as it is', () => {
    expect(toAppError({ message: 'Payload too large', statusCode: '413' })).toMatchObject({ code: 'TOO_LARGE' });
    const own = new AppError('PROOF_REQUIRED', 'Proof is required', 400);
    expect(toAppError(own)).toBe(own);
  });
});

describe('describeError', () => {
  const refusal = new AppError('SUSPENDED', 'Your account is suspended.', 403);
  const broken = { message: 'relation "wallets" does not exist', status: 500 };

  it.each([
    ['its own sentence', refusal, {}, 'Your account is suspended.'],
    ['the override of its code', refusal, { codes: { SUSPENDED: 'Not now' }, prefix: 'Failed' }, 'Not now'],
    [
      'the reason after the prefix',
      refusal,
      { prefix: 'Failed to save' },
      'Failed to save: Your account is suspended.',
    ],
    ['only the prefix when the reason is unknown', broken, { prefix: 'Failed to save' }, 'Failed to save'],
    ['the fallback when the reason is unknown', broken, { prefix: 'x', fallback: 'Try later' }, 'Try later'],
    ['the safe sentence as a last resort', broken, {}, 'Something went wrong on our side. Please try again.'],
    ['the fallback for an empty sentence', new AppError('X', ''), { fallback: 'Failed' }, 'Failed'],
    [
      'the fallback where only some reasons help',
      refusal,
      { fallback: 'Failed', isMessageUseful: () => false },
      'Failed',
    ],
  ])('gives %s', (_case, error, overrides, sentence) => {
    expect(describeError(error, overrides)).toBe(sentence);
  });
});

describe('rethrow', () => {
  const caught = (error: unknown) =>
    Promise.reject(error).catch(rethrow({ code: 'WALLET_FETCH_FAILED', fallback: 'Failed to fetch wallet' }));

  it('words and names an unworded failure, and keeps its status and cause', async () => {
    const cause = { message: 'relation "wallets" does not exist', status: 500 };
    await expect(caught(cause)).rejects.toMatchObject({
      code: 'WALLET_FETCH_FAILED',
      message: 'Failed to fetch wallet',
      status: 500,
      cause,
    });
  });

  it('keeps a sentence that exists already', async () => {
    const refusal = new AppError('SUSPENDED', 'Your account is suspended.', 403);
    await expect(caught(refusal)).rejects.toMatchObject({ code: 'SUSPENDED', message: refusal.message, status: 403 });
    await expect(caught(new TypeError('Failed to fetch'))).rejects.toMatchObject({ code: 'NETWORK' });
  });
});

it('fills all placeholders of a sentence in order', () => {
  expect(fillSentence('Task … needs … points', 2, 'ten')).toBe('Task 2 needs ten points');
  expect(fillSentence('Task … of …', 1)).toBe('Task 1 of ');
});

describe('the request reference', () => {
  const failed = {
    code: 'UNEXPECTED',
    message: 'Something went wrong.',
    requestId: '1a2b3c4d-0000-4000-8000-000000000000',
  };

  it('is appended to server failures once, whoever words them', () => {
    const error = toAppError(failed, 500);
    expect(describeError(error)).toBe('Something went wrong. (Reference 1a2b3c4d)');
    expect(describeError(error, { codes: { UNEXPECTED: 'No mail went out' } })).toBe(
      'No mail went out (Reference 1a2b3c4d)',
    );
    const reworded = (() => {
      try {
        return rethrow({ prefix: 'Failed to save' })(error);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(describeError(reworded)).toBe('Failed to save: Something went wrong. (Reference 1a2b3c4d)');
  });

  it('is omitted from refusals, and from failures that have none', () => {
    expect(describeError(toAppError(failed, 409))).toBe('Something went wrong.');
    expect(describeError(toAppError({ ...failed, requestId: undefined }, 500))).toBe('Something went wrong.');
  });
});
