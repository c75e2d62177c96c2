import { setTokenSource } from '@/lib/auth/token';
import { fakeApi } from '@/lib/testing/fake-api';
import { fakeUploads } from './testing/fake-upload';
import { uploadScreenshot } from './upload';

const start = (signal = new AbortController().signal) => {
  const percents: number[] = [];
  const file = new File(['content'], 'shot.png', { type: 'image/png' });
  const objectName = 'user_1/proof_1_shot.png';
  const result = uploadScreenshot({
    file,
    objectName,
    onProgress: (percent) => percents.push(percent),
    signal,
  });
  result.catch(() => undefined);
  return { result, percents };
};

afterEach(() => vi.unstubAllGlobals());

it('DB-29 uploads into the private bucket with a cache time of 3600 s and reports percentages', async () => {
  const { calls } = fakeApi({ 'POST /functions/v1/verify-upload': { ok: true } });
  const uploads = fakeUploads();
  const { result, percents } = start();
  await expect.poll(() => uploads).toHaveLength(1);
  const [upload] = uploads;
  expect(upload?.address).toBe('http://supabase.test/storage/v1/object/proofs/user_1/proof_1_shot.png');
  expect(upload?.headers).toMatchObject({ apikey: 'sb_publishable_test', 'x-upsert': 'false' });
  expect(upload?.body.get('cacheControl')).toBe('3600');
  upload?.progress(1, 3);
  upload?.progress(3, 3);
  upload?.respond(200, { Key: 'proofs/user_1/proof_1_shot.png' });
  expect(await result).toBe('user_1/proof_1_shot.png');
  // The server verifies it only after that.
  expect(calls.map(({ body }) => body)).toEqual([{ bucket: 'proofs', path: 'user_1/proof_1_shot.png' }]);
  expect(percents).toEqual([33, 100]);
});

it.each([
  ['member', 'the-token', 'Bearer the-token'],
  // The publishable key is not a token, and goes into its own header.
  ['visitor', null, undefined],
])('uploads with the token of the %s', async (_, token, authorization) => {
  setTokenSource(token === null ? null : async () => token);
  onTestFinished(() => setTokenSource(null));
  const uploads = fakeUploads();
  start();
  await expect.poll(() => uploads).toHaveLength(1);
  expect(uploads[0]?.headers.apikey).toBe('sb_publishable_test');
  expect(uploads[0]?.headers.authorization).toBe(authorization);
});

it.each([
  [400, { error: 'InvalidKey', message: 'Not allowed' }, { code: 'UPLOAD_INVALID_KEY' }],
  [400, { message: 'Invalid key: x' }, { code: 'UPLOAD_INVALID_KEY' }],
  [
    400,
    { statusCode: '400', error: 'InvalidKey', message: 'Invalid key: x' },
    { code: 'UPLOAD_INVALID_KEY', message: 'Upload failed: Invalid key: x' },
  ],
  [
    400,
    { statusCode: '413', error: 'Payload too large', message: 'The object exceeded the maximum allowed size' },
    { code: 'TOO_LARGE' },
  ],
  [401, { message: 'jwt expired' }, { code: 'SESSION_EXPIRED' }],
  [
    400,
    { statusCode: '403', message: 'new row violates row-level security policy' },
    { code: 'UPLOAD_FAILED', message: 'Upload failed: new row violates row-level security policy' },
  ],
  [502, '<html>', { code: 'UPLOAD_FAILED', message: 'Upload failed: status 502' }],
  [200, '', { code: 'UPLOAD_FAILED', message: 'Upload failed: No data returned' }],
])('ERR-02 maps status %i to a known error', async (status, body, error) => {
  const uploads = fakeUploads();
  const { result } = start();
  await expect.poll(() => uploads).toHaveLength(1);
  uploads[0]?.respond(status, body);
  await expect(result).rejects.toMatchObject(error);
});

it('reports a broken connection as a network error', async () => {
  const uploads = fakeUploads();
  const { result } = start();
  await expect.poll(() => uploads).toHaveLength(1);
  uploads[0]?.fail();
  await expect(result).rejects.toMatchObject({ code: 'NETWORK' });
});

it('stops sending when it is aborted', async () => {
  const uploads = fakeUploads();
  const controller = new AbortController();
  const { result } = start(controller.signal);
  await expect.poll(() => uploads).toHaveLength(1);
  controller.abort();
  await expect(result).rejects.toMatchObject({ name: 'AbortError' });
  expect(uploads[0]?.isAborted).toBe(true);
});
