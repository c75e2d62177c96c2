import { AppError, isRefusal, isSessionExpired, toAppError } from './errors';

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
  ])('says that something is wrong with the input for what the database cannot read (%s)', (code, message) => {
    expect(toAppError({ message, hint: null, code }, 400)).toMatchObject({
      code: 'INVALID_INPUT',
      message: 'Some fields are missing or wrong.',
    });
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
