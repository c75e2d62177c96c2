import { AppError, nameFailure } from './errors';

const named = (error: unknown) => nameFailure(Promise.reject(error), 'WALLET_FETCH_FAILED', 'Failed to fetch wallet');

it('words a failure that nobody has worded', async () => {
  await expect(named({ message: 'relation "wallets" does not exist', status: 500 })).rejects.toMatchObject({
    code: 'WALLET_FETCH_FAILED',
    message: 'Failed to fetch wallet',
    status: 500,
  });
});

it('keeps what is worded already', async () => {
  const refusal = new AppError('SUSPENDED', 'Your account is suspended. Please contact support.', 403);
  await expect(named(refusal)).rejects.toBe(refusal);
  await expect(named(new TypeError('Failed to fetch'))).rejects.toMatchObject({ code: 'NETWORK' });
});

it('passes a result on', async () => {
  await expect(nameFailure(Promise.resolve(3), 'X', 'x')).resolves.toBe(3);
});
