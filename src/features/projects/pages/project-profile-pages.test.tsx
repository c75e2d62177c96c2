import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { losesUnsavedChanges } from '@/lib/confirm-leave';
import { fakeApi, offline, refuse } from '@/lib/testing/fake-api';
import { renderApp, signedIn } from '@/lib/testing/render';
import { OwnProject } from '../components/own-project';
import { projectRow, twentyIndustries } from '../testing';
import ProjectCreatePage from './project-create-page';
import ProjectEditPage, { ProjectProfilePage } from './project-edit-page';

const routes = [
  { path: '/startup/create', element: <ProjectCreatePage /> },
  { path: '/startup/profile', element: <ProjectProfilePage /> },
  { path: '/startup/profile/edit', element: <ProjectEditPage /> },
  { path: '/startup', element: <OwnProject>{({ name }) => <p>The dashboard of {name}</p>}</OwnProject> },
  { path: '*', element: <p>elsewhere</p> },
];

function open(path: string, answers: Record<string, unknown>) {
  const api = fakeApi(answers);
  const view = renderApp(null, { identity: signedIn('startup_unverified'), path, routes });
  const sent = (procedure: string) => api.calls.find((call) => call.path === `rpc/${procedure}`)?.body;
  return { ...view, api, sent, pathname: () => view.router.state.location.pathname };
}
const foreign = projectRow({ id: 'other', owner_user_id: 'user_other', name: 'Another project' });
const none = { 'GET startup_profiles': [foreign] };
const own = { 'GET startup_profiles': [foreign, projectRow()] };
const saved = { ...own, 'rpc update_startup_profile': projectRow() };
const field = (name: RegExp) => screen.getByRole('textbox', { name });
const create = () => screen.findByRole('button', { name: 'Create Profile' });
const save = () => screen.findByRole('button', { name: 'Save Changes' });

beforeEach(() => localStorage.clear());

test('C-113 the form counts name and description against their limits, and names the limit that is exceeded', async () => {
  const { user } = open('/startup/create', none);
  await create();
  expect(screen.getByText('0 / 120')).toBeVisible();
  expect(screen.getByText('0 / 2,000')).toBeVisible();
  await user.click(field(/Description/));
  await user.paste('x'.repeat(2001));
  await user.tab();
  expect(screen.getByText('2,001 / 2,000')).toBeVisible();
  expect(await screen.findByText('Please use at most 2000 characters for the description')).toBeVisible();
});

test('SPROF-01 the form has its fields, sends a verification request and shows its success', async () => {
  const { user, sent } = open('/startup/create', { ...none, 'rpc create_startup_profile': projectRow() });
  const button = await create();
  expect(screen.getByLabelText('Logo')).toHaveAttribute('type', 'file');
  expect(field(/Logo URL/)).toBeVisible();
  await user.type(field(/Project name/), 'Paper Kite');
  await user.type(field(/Website/), 'paperkite.example.com');
  await user.type(field(/Description/), 'Kites');
  await user.selectOptions(screen.getByRole('combobox', { name: /Industry/ }), 'SaaS');
  await user.click(button);
  // The pressed button has gone with the form.
  expect(await screen.findByRole('heading', { name: 'Paper Kite is on the board' })).toHaveFocus();
  expect(screen.getByRole('link', { name: 'Go to Dashboard' })).toHaveAttribute('href', '/startup');
  expect(sent('create_startup_profile')).toEqual({
    p_name: 'Paper Kite',
    p_website: 'https://paperkite.example.com',
    p_description: 'Kites',
    p_industry: 'SaaS',
  });
});

test('SPROF-01 the created profile is passed to the dashboard, which shows it before its own request', async () => {
  const { user, api } = open('/startup/create', { ...none, 'rpc create_startup_profile': projectRow() });
  const button = await create();
  await user.type(field(/Project name/), 'Paper Kite');
  await user.selectOptions(screen.getByRole('combobox', { name: /Industry/ }), 'SaaS');
  api.routes['GET startup_profiles'] = () => new Promise(() => undefined);
  await user.click(button);
  await user.click(await screen.findByRole('link', { name: 'Go to Dashboard' }));
  expect(await screen.findByText('The dashboard of Paper Kite')).toBeVisible();
});

test('SPROF-02 an owner with a profile is redirected to the dashboard', async () => {
  const { pathname } = open('/startup/create', own);
  await waitFor(() => expect(pathname()).toBe('/startup'));
});

test('SPROF-03 name, industry, website and logo address are checked', async () => {
  const { user, api } = open('/startup/create', none);
  const button = await create();
  await user.type(field(/Website/), 'no site');
  await user.type(field(/Logo URL/), 'no picture');
  await user.click(button);
  for (const message of [
    'Project name is required',
    'Please select an industry',
    'Please enter a valid URL',
    'Please enter a valid image URL',
  ]) {
    expect(await screen.findByText(message)).toBeVisible();
  }
  expect(api.calls.some((call) => call.path === 'rpc/create_startup_profile')).toBe(false);
});

test('SPROF-03 https:// is added to the website on blur', async () => {
  const { user } = open('/startup/create', none);
  await create();
  await user.clear(field(/Website/));
  await user.type(field(/Website/), 'example.com');
  await user.tab();
  expect(field(/Website/)).toHaveValue('https://example.com');
});

test('HUB-03 the form offers exactly the 20 industries', async () => {
  open('/startup/create', none);
  await create();
  const options = screen.getAllByRole('option').map((option) => option.textContent);
  expect(options).toEqual(['Select an industry', ...twentyIndustries]);
});

test.each([
  [refuse(409, 'STARTUP_EXISTS', 'You already have a project profile'), 'You already have a project profile'],
  [refuse(500, null, 'broken'), 'Unknown error'],
])('SPROF-09 a failed creation is shown in a toast', async (answer, reason) => {
  const { user } = open('/startup/create', { ...none, 'rpc create_startup_profile': answer });
  const button = await create();
  await user.type(field(/Project name/), 'Paper Kite');
  await user.selectOptions(screen.getByRole('combobox', { name: /Industry/ }), 'SaaS');
  await user.click(button);
  const shown = await screen.findByText(`Failed to create profile: ${reason}`);
  // An error toast: red, and shown for 5 seconds.
  expect(shown.parentElement).toHaveRole('alert');
  expect(shown.parentElement).toHaveClass('border-l-danger');
  expect(field(/Project name/)).toHaveValue('Paper Kite');
});

test('SPROF-09 the failure of a creation goes once the next attempt has succeeded', async () => {
  const { user, api } = open('/startup/create', { ...none, 'rpc create_startup_profile': refuse(500, null, 'broken') });
  const button = await create();
  await user.type(field(/Project name/), 'Paper Kite');
  await user.selectOptions(screen.getByRole('combobox', { name: /Industry/ }), 'SaaS');
  await user.click(button);
  await screen.findByText(/Failed to create profile/);
  api.routes['rpc create_startup_profile'] = projectRow();
  await user.click(button);
  await screen.findByRole('heading', { name: 'Paper Kite is on the board' });
  expect(screen.queryByText(/Failed to create profile/)).not.toBeInTheDocument();
});

test('SPROF-04 the accepted files are stated; one that is not an image, or too large, is refused before anything is sent', async () => {
  open('/startup/create', none);
  await create();
  const input = screen.getByLabelText('Logo');
  expect(input).toHaveAccessibleDescription('PNG, JPG, WebP or SVG, max 5MB');
  expect(input).toHaveAttribute('accept', 'image/png,image/jpeg,image/webp,image/svg+xml');
  fireEvent.change(input, { target: { files: [new File(['x'], 'logo.gif', { type: 'image/gif' })] } });
  expect(await screen.findByText('Please choose a PNG, JPG, WebP or SVG image')).toBeVisible();
  const large = new File(['x'], 'logo.png', { type: 'image/png' });
  Object.defineProperty(large, 'size', { value: 5 * 1024 * 1024 + 1 });
  fireEvent.change(input, { target: { files: [large] } });
  expect(await screen.findByText('Please choose an image smaller than 5MB')).toBeVisible();
});

test('SPROF-04 a chosen file becomes the logo, whatever address was typed before', async () => {
  // Decoding and drawing pictures, which jsdom cannot do.
  vi.stubGlobal(
    'Image',
    class extends Image {
      override decode = async () => undefined;
    },
  );
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:logo');
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) =>
    done(new Blob(['x'], { type: 'image/png' })),
  );
  vi.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
  const path = 'project-logos/user_test/user_test_1800000000000.png';
  const { user, sent } = open('/startup/create', {
    ...none,
    [`POST /storage/v1/object/${path}`]: { Id: '1', Key: path },
    'POST /functions/v1/verify-upload': { ok: true },
    'rpc create_startup_profile': projectRow(),
  });
  const button = await create();
  await user.type(field(/Project name/), 'Paper Kite');
  await user.selectOptions(screen.getByRole('combobox', { name: /Industry/ }), 'SaaS');
  await user.type(field(/Logo URL/), 'no picture');
  await user.click(button);
  expect(await screen.findByText('Please enter a valid image URL')).toBeVisible();

  await user.upload(screen.getByLabelText('Logo'), new File(['x'], 'logo.png', { type: 'image/png' }));
  await user.click(await screen.findByRole('button', { name: 'Use this crop' }));
  await waitFor(() => expect(screen.queryByText('Please enter a valid image URL')).not.toBeInTheDocument());
  await user.click(button);
  await waitFor(() =>
    expect(sent('create_startup_profile')).toMatchObject({ p_logo_url: expect.stringContaining(path) }),
  );
});

test('SPROF-04 the logo is the file chosen last, and no profile is saved while it is being read', async () => {
  const first = Promise.withResolvers<void>();
  const second = Promise.withResolvers<void>();
  const third = Promise.withResolvers<void>();
  const readings = [first, second, third];
  vi.stubGlobal(
    'Image',
    class extends Image {
      override decode = () => readings.shift()?.promise ?? Promise.resolve();
    },
  );
  vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => `blob:${(file as File).name}`);
  const release = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue();
  const { user, sent, unmount } = open('/startup/create', { ...none, 'rpc create_startup_profile': projectRow() });
  const button = await create();
  await user.type(field(/Project name/), 'Paper Kite');
  await user.selectOptions(screen.getByRole('combobox', { name: /Industry/ }), 'SaaS');
  const input = screen.getByLabelText('Logo');
  await user.upload(input, new File(['x'], 'large.png', { type: 'image/png' }));
  await user.click(button);
  await user.type(field(/Project name/), '{Enter}');
  expect(sent('create_startup_profile')).toBeUndefined();
  await user.upload(input, new File(['x'], 'small.png', { type: 'image/png' }));
  await act(async () => second.resolve());
  const dialog = await screen.findByRole('dialog', { name: 'Crop your logo' });
  await act(async () => first.reject(new Error('not decodable')));
  expect(dialog.querySelector('img')).toHaveAttribute('src', 'blob:small.png');
  expect(screen.queryByText(/could not read this image/)).not.toBeInTheDocument();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.upload(input, new File(['x'], 'left.png', { type: 'image/png' }));
  unmount();
  await act(async () => third.resolve());
  expect(release).toHaveBeenCalledWith('blob:left.png');
});

test('SPROF-05 editing without a profile redirects to creating one; when loading fails, to the dashboard', async () => {
  const missing = open('/startup/profile/edit', none);
  await waitFor(() => expect(missing.pathname()).toBe('/startup/create'));
  missing.unmount();
  const failing = open('/startup/profile/edit', { 'GET startup_profiles': offline() });
  await waitFor(() => expect(failing.pathname()).toBe('/startup'));
});

test('SPROF-06 editing does not ask for the industry, words a missing name differently and saves', async () => {
  const { user, sent, pathname } = open('/startup/profile/edit', { ...saved });
  const button = await save();
  expect(screen.queryByRole('combobox', { name: /Industry/ })).not.toBeInTheDocument();
  await user.clear(field(/Company name/));
  await user.click(button);
  expect(await screen.findByText('Company name is required')).toBeVisible();
  await user.type(field(/Company name/), 'Paper Kite Two');
  await user.click(button);
  await waitFor(() => expect(pathname()).toBe('/startup'));
  expect(sent('update_startup_profile')).toMatchObject({
    p_startup_id: projectRow().id,
    p_name: 'Paper Kite Two',
    p_website: 'https://paperkite.example.com',
  });
});

test('SPROF-06 does not put back what another tab has saved while this one was edited', async () => {
  const { user, api, sent, queryClient } = open('/startup/profile/edit', { ...saved });
  queryClient.setDefaultOptions({ queries: { staleTime: 30_000 } });
  await save();
  await user.type(field(/Company name/), ' Two');
  api.routes['GET startup_profiles'] = [foreign, projectRow({ description: 'Saved elsewhere' })];
  act(() => void document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await waitFor(() => expect(field(/Description/)).toHaveValue('Saved elsewhere'));
  await user.click(await save());
  expect(await screen.findByText(/^The dashboard/)).toBeVisible();
  expect(sent('update_startup_profile')).toMatchObject({ p_name: 'Paper Kite Two', p_description: 'Saved elsewhere' });
});

test('SPROF-06 does not put back what a window beside this one has saved, of which no event tells', async () => {
  const { user, api, sent } = open('/startup/profile/edit', { ...saved });
  await save();
  await user.type(field(/Description/), ' for everybody');
  api.routes['GET startup_profiles'] = [foreign, projectRow({ name: 'Paper Kite Two', logo_url: '/two.svg' })];
  await user.click(await save());
  expect(await screen.findByText(/^The dashboard/)).toBeVisible();
  expect(sent('update_startup_profile')).toMatchObject({
    p_name: 'Paper Kite Two',
    p_logo_url: '/two.svg',
    p_description: 'Kites for small offices for everybody',
  });
});

test('SPROF-04 a stored logo can be removed, without clearing its address by hand', async () => {
  const { user, sent } = open('/startup/profile/edit', {
    'GET startup_profiles': [projectRow({ logo_url: '/kite.svg' })],
    'rpc update_startup_profile': projectRow(),
  });
  await save();
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  expect(field(/Logo URL/)).toHaveValue('');
  expect(screen.getByRole('button', { name: 'Upload logo' })).toHaveFocus();
  expect(screen.queryByRole('button', { name: 'Remove' })).not.toBeInTheDocument();
  await user.click(await save());
  expect(await screen.findByText(/^The dashboard/)).toBeVisible();
  expect(sent('update_startup_profile')).not.toHaveProperty('p_logo_url');
});

test('SPROF-06 a project without a website starts with https://', async () => {
  open('/startup/profile/edit', { 'GET startup_profiles': [projectRow({ website: null })] });
  await save();
  expect(field(/Website/)).toHaveValue('https://');
});

test.each([
  [refuse(403, 'FORBIDDEN', 'Forbidden'), 'Forbidden'],
  [refuse(500, null, 'broken'), 'Failed to update project profile'],
])('SPROF-09 a failed edit alerts its message; until then Cancel is disabled', async (answer, sentence) => {
  const reply = Promise.withResolvers<unknown>();
  const { user } = open('/startup/profile/edit', { ...own, 'rpc update_startup_profile': () => reply.promise });
  const button = await save();
  await user.type(field(/Company name/), ' Two');
  await user.click(button);
  await waitFor(() => expect(screen.getByRole('button', { name: 'Cancel' })).toBeDisabled());
  reply.resolve(answer);
  expect(await screen.findByRole('alertdialog')).toHaveTextContent(sentence);
  expect(screen.getByDisplayValue('Paper Kite Two')).toBeInTheDocument();
});

test('ROUTE-10 C-30 /startup/profile redirects to creating or editing the profile', async () => {
  const missing = open('/startup/profile', none);
  await waitFor(() => expect(missing.pathname()).toBe('/startup/create'));
  missing.unmount();
  const owner = open('/startup/profile', own);
  await waitFor(() => expect(owner.pathname()).toBe('/startup/profile/edit'));
});

describe('BEY-11 what was typed into a new profile', () => {
  const restored = () => screen.queryByText('Draft restored');
  async function openAndType() {
    const view = open('/startup/create', { ...none, 'rpc create_startup_profile': projectRow() });
    await create();
    await view.user.type(field(/Project name/), 'Paper Kite');
    await view.user.selectOptions(screen.getByRole('combobox', { name: /Industry/ }), 'SaaS');
    await view.user.type(field(/Description/), 'Kites for offices');
    return view;
  }

  it('is back after the page was lost, and can be sent', async () => {
    const lost = await openAndType();
    lost.unmount();
    const { user, sent } = open('/startup/create', { ...none, 'rpc create_startup_profile': projectRow() });
    expect(await screen.findByText('Draft restored')).toBeVisible();
    expect(field(/Description/)).toHaveValue('Kites for offices');
    expect(screen.getByRole('combobox', { name: /Industry/ })).toHaveValue('SaaS');
    await user.click(await create());
    await waitFor(() => expect(sent('create_startup_profile')).toMatchObject({ p_name: 'Paper Kite' }));
  });

  it('is gone once the profile is created', async () => {
    const { user, unmount } = await openAndType();
    await user.click(await create());
    await screen.findByRole('heading', { name: 'Paper Kite is on the board' });
    unmount();
    open('/startup/create', none);
    await create();
    expect(restored()).not.toBeInTheDocument();
    expect(field(/Project name/)).toHaveValue('');
  });

  it('is gone when the founder leaves without saving, and can be discarded', async () => {
    const left = await openAndType();
    await left.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await left.user.click(await screen.findByRole('button', { name: 'Leave page' }));
    await waitFor(() => expect(localStorage.length).toBe(0));
    left.unmount();
    const lost = await openAndType();
    lost.unmount();
    const { user } = open('/startup/create', none);
    await user.click(await screen.findByRole('button', { name: 'Start over' }));
    expect(restored()).not.toBeInTheDocument();
    expect(field(/Project name/)).toHaveValue('');
    expect(field(/Project name/)).toHaveFocus();
    expect(localStorage).toHaveLength(0);
  });

  it('is not kept of a stored profile, which may change meanwhile', async () => {
    const { user, unmount } = open('/startup/profile/edit', own);
    await save();
    await user.type(field(/Company name/), ' Two');
    // By which whoever is signed out meanwhile is told that it is lost.
    expect(losesUnsavedChanges()).toBe(true);
    unmount();
    open('/startup/profile/edit', own);
    await save();
    expect(field(/Company name/)).toHaveValue('Paper Kite');
  });
});

test('SPROF-01 a preview shows the card that members will see', async () => {
  const { user } = open('/startup/create', none);
  await create();
  const preview = within(screen.getByRole('region', { name: 'Preview', hidden: true }));
  expect(preview.getByText('Your project')).toBeVisible();
  await user.type(field(/Project name/), 'Paper Kite');
  await user.type(field(/Description/), 'Kites');
  expect(preview.getByText('Paper Kite')).toBeVisible();
  expect(preview.getByText('Kites')).toBeVisible();
});
