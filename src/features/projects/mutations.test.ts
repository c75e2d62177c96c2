// @vitest-environment jsdom
import { AppError, describeError } from '@/lib/errors';
import { createQueryClient } from '@/lib/query-client';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import {
  type ProfileSubmission,
  projectErrors,
  useCreateProject,
  useCreateSigningSecret,
  useDeleteProject,
  useFollowProject,
  useRevokeSigningSecret,
  useTestEndpoint,
  useUpdateProject,
} from './mutations';
import { projectQueries } from './queries';
import { projectRow } from './testing';

const bucket = 'http://supabase.test/storage/v1/object/public/project-logos';
const values = {
  name: ' Paperkite ',
  website: 'paperkite.example',
  logoUrl: '',
  description: '',
  industry: 'Education',
};
const logo = new Blob(['x'], { type: 'image/png' });
const own = projectQueries.own('user_test').queryKey;

/** The path of a logo uploaded now. */
function logoPathNow(): string {
  vi.spyOn(Date, 'now').mockReturnValue(1000);
  return 'user_test/user_test_1000.png';
}

describe('SPROF-01 a new project', () => {
  const create = (submission: Partial<ProfileSubmission> = {}, queryClient = createQueryClient()) =>
    runMutation(() => useCreateProject('user_test'), { values, logo: null, ...submission }, queryClient);

  it('is sent trimmed, with its industry, and is in the cache for the next screen', async () => {
    const api = fakeApi({ 'rpc create_startup_profile': projectRow() });
    const { data, queryClient, stale } = await create();
    expect(data).toEqual(projectRow());
    expect(api.calls.map(({ body }) => body)).toEqual([
      { p_name: 'Paperkite', p_website: 'https://paperkite.example', p_industry: 'Education' },
    ]);
    expect(api.calls[0]?.params.get('select')).not.toContain('*');
    expect(queryClient.getQueryData(projectQueries.own(projectRow().owner_user_id).queryKey)).toEqual(projectRow());
    expect(stale).toContainEqual(['startups']);
  });

  it('C-56 keeps a path on this site, completes an external address, and omits blank fields', async () => {
    const api = fakeApi({ 'rpc create_startup_profile': projectRow() });
    await create({ values: { ...values, website: 'https://', logoUrl: ' /demo/kite.svg ', description: ' Fly. ' } });
    await create({ values: { ...values, website: '', logoUrl: 'paperkite.example/logo.png' } });
    expect(api.calls.map(({ body }) => body)).toEqual([
      { p_name: 'Paperkite', p_logo_url: '/demo/kite.svg', p_description: 'Fly.', p_industry: 'Education' },
      { p_name: 'Paperkite', p_logo_url: 'https://paperkite.example/logo.png', p_industry: 'Education' },
    ]);
  });

  it('C-56 C-89 has its chosen logo uploaded, verified and shown', async () => {
    const path = logoPathNow();
    const api = fakeApi({
      [`POST /storage/v1/object/project-logos/${path}`]: { Key: path, Id: '1' },
      'POST /functions/v1/verify-upload': { ok: true },
      'rpc create_startup_profile': projectRow(),
    });
    await create({ logo });
    expect(api.calls.map((call) => call.path)).toEqual([
      `/storage/v1/object/project-logos/${path}`,
      '/functions/v1/verify-upload',
      'rpc/create_startup_profile',
    ]);
    expect(api.calls[1]?.body).toEqual({ bucket: 'project-logos', path });
    expect(api.calls[2]?.body).toMatchObject({ p_logo_url: `${bucket}/${path}` });
  });

  it('C-99 is the result when only the answer was lost, and nothing claims that it failed', async () => {
    fakeApi({ 'rpc create_startup_profile': offline(), 'rpc get_own_startup': projectRow() });
    expect(await create()).toMatchObject({ data: projectRow(), error: null });
  });

  it.each([502, 504])('C-99 is the result when a gateway gave up with %i, too', async (status) => {
    fakeApi({
      'rpc create_startup_profile': new Response('<html>Bad Gateway</html>', { status }),
      'rpc get_own_startup': projectRow(),
    });
    expect(await create()).toMatchObject({ data: projectRow(), error: null });
  });

  it('that is refused leaves no logo behind, and says why', async () => {
    const path = logoPathNow();
    const api = fakeApi({
      [`POST /storage/v1/object/project-logos/${path}`]: { Key: path, Id: '1' },
      'POST /functions/v1/verify-upload': { ok: true },
      'rpc create_startup_profile': refuse(409, 'PROFILE_EXISTS', 'You already have a project'),
      'DELETE /storage/v1/object/project-logos': [],
    });
    expect((await create({ logo })).error).toMatchObject({ code: 'PROFILE_EXISTS' });
    expect(api.calls.at(-1)).toMatchObject({ method: 'DELETE', body: { prefixes: [path] } });
    api.routes['DELETE /storage/v1/object/project-logos'] = offline();
    expect((await create({ logo })).error).toMatchObject({ code: 'PROFILE_EXISTS' });
  });
});

describe('SPROF-06 an edited project', () => {
  const logoUrl = `${bucket}/user_test/old.png`;
  const project = projectRow({ logo_url: logoUrl });
  const update = (saved: Partial<typeof project>, changed: Partial<typeof values> = {}) => {
    const api = fakeApi({
      'rpc update_startup_profile': { ...project, ...saved },
      'DELETE /storage/v1/object/project-logos': [],
    });
    const submission = { values: { ...values, logoUrl, ...changed }, logo: null };
    return runMutation(() => useUpdateProject(project, 'user_test'), submission).then((result) => ({ api, ...result }));
  };
  const removed = (api: ReturnType<typeof fakeApi>) =>
    api.calls.flatMap(({ method, body }) => (method === 'DELETE' ? [body] : []));

  it('C-99 is the result when only the answer was lost, and not when something else is stored', async () => {
    vi.useFakeTimers();
    const saved = { ...project, name: 'Paperkite', website: 'https://paperkite.example', description: null };
    const api = fakeApi({ 'rpc update_startup_profile': offline(), 'rpc get_own_startup': saved });
    const save = async (other = project) => {
      const submission = { values: { ...values, logoUrl }, logo: null };
      const run = runMutation(() => useUpdateProject(other, 'user_test'), submission);
      await vi.runAllTimersAsync();
      return run;
    };
    expect(await save()).toMatchObject({ data: saved, error: null });
    api.routes['rpc get_own_startup'] = { ...saved, name: 'Before' };
    expect((await save()).error).toMatchObject({ code: 'NOT_APPLIED' });
  });

  it('C-31 C-99 is the result for an admin too, whose own project says nothing about it', async () => {
    vi.useFakeTimers();
    const saved = { ...project, name: 'Paperkite', website: 'https://paperkite.example', description: null };
    const api = fakeApi({
      'rpc update_startup_profile': offline(),
      'rpc get_own_startup': { ...saved, id: 'of-the-admin' },
      'GET startup_profiles': [{ ...saved, name: 'Before' }],
    });
    const save = async () => {
      const run = runMutation(() => useUpdateProject(project, 'user_admin'), {
        values: { ...values, logoUrl },
        logo: null,
      });
      await vi.runAllTimersAsync();
      return run;
    };
    expect((await save()).error).toMatchObject({ code: 'NOT_APPLIED' });
    api.routes['GET startup_profiles'] = [saved];
    expect(await save()).toMatchObject({ data: { id: project.id, name: 'Paperkite' }, error: null });
    api.routes['GET startup_profiles'] = offline();
    expect((await save()).error).toMatchObject({ code: 'OUTCOME_UNKNOWN' });
  });

  it('is saved by id, without its industry, and keeps its logo', async () => {
    const { api, queryClient } = await update({ description: 'New' });
    expect(api.calls[0]?.body).toEqual({
      p_startup_id: project.id,
      p_name: 'Paperkite',
      p_website: 'https://paperkite.example',
      p_logo_url: logoUrl,
    });
    expect(queryClient.getQueryData(projectQueries.own(project.owner_user_id).queryKey)).toMatchObject({
      description: 'New',
    });
    expect(removed(api)).toEqual([]);
  });

  it('removes the logo that is no longer shown', async () => {
    const { api } = await update({ logo_url: null }, { logoUrl: '' });
    await expect.poll(() => removed(api)).toEqual([{ prefixes: ['user_test/old.png'] }]);
  });
});

it('SPROF-08 a deleted project is removed from the cache, and its logo from the bucket', async () => {
  const project = projectRow({ owner_user_id: 'user_test', logo_url: `${bucket}/user_test/old.png` });
  const api = fakeApi({ 'rpc delete_startup_profile': undefined, 'DELETE /storage/v1/object/project-logos': [] });
  const queryClient = createQueryClient();
  queryClient.setQueryData(own, project);
  await runMutation(useDeleteProject, project, queryClient);
  expect(api.calls[0]?.body).toEqual({ p_startup_id: project.id });
  expect(queryClient.getQueryData(own)).toBeNull();
  await expect.poll(() => api.calls[1]?.body).toEqual({ prefixes: ['user_test/old.png'] });
});

it('C-99 SPROF-08 a project that is gone counts as deleted, as after a lost answer; another refusal does not', async () => {
  const api = fakeApi({
    'rpc delete_startup_profile': refuse(404, 'STARTUP_NOT_FOUND', 'Startup profile not found'),
  });
  const remove = () => runMutation(useDeleteProject, projectRow({ logo_url: null }));
  expect((await remove()).error).toBeNull();
  api.routes['rpc delete_startup_profile'] = refuse(404, null, 'Could not find the function');
  expect((await remove()).error).toMatchObject({ code: 'NOT_FOUND' });
});

it('C-99 SPROF-08 a deletion whose answer is lost counts when the project is gone', async () => {
  fakeApi({ 'rpc delete_startup_profile': offline(), 'GET startup_profiles': [projectRow({ id: 'another' })] });
  expect((await runMutation(useDeleteProject, projectRow({ logo_url: null }))).error).toBeNull();
});

describe('BEY-13 signed calls', () => {
  it('a secret is created for the project and returned once; a revoked one is named', async () => {
    const api = fakeApi({ 'rpc create_signing_secret': 'qs_secret', 'rpc revoke_signing_secret': undefined });
    expect((await runMutation(() => useCreateSigningSecret('p1'), undefined)).data).toBe('qs_secret');
    const { stale } = await runMutation(() => useRevokeSigningSecret('p1'), 'secret-1');
    expect(api.calls.map(({ body }) => body)).toEqual([
      { p_startup_id: 'p1' },
      { p_startup_id: 'p1', p_secret_id: 'secret-1' },
    ]);
    expect(stale.flat()).toContain('startups');
  });

  it('an address is tested by the server, and an unexpected answer fails', async () => {
    const api = fakeApi({ 'POST /functions/v1/check-task': { completed: false } });
    expect((await runMutation(useTestEndpoint, 'https://x.test/check')).data).toBe(false);
    expect(api.calls.map(({ body }) => body)).toEqual([{ testUrl: 'https://x.test/check' }]);
    api.routes['POST /functions/v1/check-task'] = {};
    expect((await runMutation(useTestEndpoint, 'https://x.test/check')).error).not.toBeNull();
  });

  it('BEY-13 tells the founder what was wrong with the answer of a tested address', async () => {
    const problem = { ok: false, code: 'CHECK_NOT_UNDERSTOOD', message: 'We do not understand the answer.' };
    const refused = (body: object) => Response.json(body, { status: 424 });
    const api = fakeApi({
      'POST /functions/v1/check-task': refused({ ...problem, details: ['The cause: answered 404.'] }),
    });
    const test = async () => (await runMutation(useTestEndpoint, 'https://x.test/check')).error;
    const code = 'CHECK_NOT_UNDERSTOOD';
    expect(await test()).toMatchObject({ code, message: 'We do not understand the answer. The cause: answered 404.' });
    api.routes['POST /functions/v1/check-task'] = refused(problem);
    expect(await test()).toMatchObject({ code, status: 424, message: 'We do not understand the answer.' });
  });
});

it('a project is followed or unfollowed', async () => {
  const api = fakeApi({ 'rpc set_project_followed': true });
  const { data } = await runMutation(useFollowProject, { id: 'p1', isOn: true });
  expect(data).toBe(true);
  expect(api.calls.map(({ body }) => body)).toEqual([{ p_startup_id: 'p1', p_is_followed: true }]);
});

describe('C-99 following or unfollowing whose answer was lost', () => {
  afterEach(() => vi.useRealTimers());

  it.each([true, false])('has happened when it is stored (%s)', async (isOn) => {
    fakeApi({ 'rpc set_project_followed': offline(), 'GET followed_projects': isOn ? [{ startup_id: 'p1' }] : [] });
    expect(await runMutation(useFollowProject, { id: 'p1', isOn })).toMatchObject({ data: isOn, error: null });
  });

  it('has not happened when it is not stored', async () => {
    vi.useFakeTimers();
    fakeApi({ 'rpc set_project_followed': offline(), 'GET followed_projects': [{ startup_id: 'p2' }] });
    const following = runMutation(useFollowProject, { id: 'p1', isOn: true });
    await vi.runAllTimersAsync();
    expect((await following).error).toMatchObject({ code: 'NOT_APPLIED' });
  });
});

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
