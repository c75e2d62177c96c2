import { Hono } from 'hono';
import { callingOrigin, currentSession, type FapiContext, type FapiEnv, reply } from '../context.ts';
import { failures } from '../errors.ts';
import { mergeMetadata, parseMetadata, refuseServerFields } from '../forms.ts';
import type { User } from '../model.ts';
import { largestPicture } from '../pictures.ts';
import { serializeUser } from '../serializers.ts';
import { checkPassword, hashChosenPassword } from '../services.ts';

async function changePicture(c: FapiContext, user: User, url: string | null): Promise<void> {
  const { store, pictures, onUserEvent } = c.get('services');
  const former = user.pictureUrl;
  user.pictureUrl = url;
  user.updatedAt = Date.now();
  store.changed();
  await pictures.remove(former);
  onUserEvent({ type: 'user.updated', data: serializeUser(user) });
}

/** The signed-in user's own account, as `<UserProfile/>` changes it: `/v1/me`. */
export function meRoutes() {
  const routes = new Hono<FapiEnv>();

  routes.get('/', (c) => reply(c, serializeUser(currentSession(c).user)));

  routes.patch('/', (c) => {
    const { user } = currentSession(c);
    const form = c.get('form');
    refuseServerFields(form);
    const primary = form.primary_email_address_id;
    if (primary !== undefined) {
      const isOwn = user.emails.some((email) => email.id === primary && email.verified);
      if (!isOwn) throw failures.paramInvalid('primary_email_address_id');
      user.primaryEmailId = primary;
    }
    if (form.first_name !== undefined) user.firstName = form.first_name.trim() || null;
    if (form.last_name !== undefined) user.lastName = form.last_name.trim() || null;
    if (form.unsafe_metadata) user.unsafeMetadata = parseMetadata(form.unsafe_metadata, 'unsafe_metadata');
    user.updatedAt = Date.now();
    const { store, onUserEvent } = c.get('services');
    store.changed();
    if (primary !== undefined) onUserEvent({ type: 'user.updated', data: serializeUser(user) });
    return reply(c, serializeUser(user));
  });

  routes.patch('/metadata', (c) => {
    const { user } = currentSession(c);
    const form = c.get('form');
    refuseServerFields(form);
    const change = parseMetadata(form.unsafe_metadata ?? '{}', 'unsafe_metadata');
    user.unsafeMetadata = mergeMetadata(user.unsafeMetadata, change);
    user.updatedAt = Date.now();
    c.get('services').store.changed();
    return reply(c, serializeUser(user));
  });

  routes.post('/profile_image', async (c) => {
    const { user } = currentSession(c);
    const { pictures } = c.get('services');
    const { file } = await c.req.parseBody();
    if (!(file instanceof File)) throw failures.paramMissing('file');
    if (file.size > largestPicture) throw failures.pictureTooLarge();
    const name = await pictures.add(file);
    if (!name) throw failures.pictureInvalid();
    const url = `${callingOrigin(c)}/__clerk/pictures/${name}`;
    await changePicture(c, user, url);
    return reply(c, { object: 'image', id: name, name: file.name, public_url: url });
  });

  routes.delete('/profile_image', async (c) => {
    const { user } = currentSession(c);
    await changePicture(c, user, null);
    return reply(c, { object: 'image', id: user.id, deleted: true });
  });

  routes.post('/change_password', async (c) => {
    const { session, user } = currentSession(c);
    const services = c.get('services');
    const { current_password: current, new_password: next, sign_out_of_other_sessions: signOutOthers } = c.get('form');
    if (user.passwordHash && !(await checkPassword(services, user, current))) throw failures.currentPasswordIncorrect();
    user.passwordHash = await hashChosenPassword(next, 'new_password');
    user.updatedAt = Date.now();
    if (signOutOthers === 'true') {
      services.store.endSessions((other) => other.userId === user.id && other.id !== session.id);
    }
    services.store.changed();
    return reply(c, serializeUser(user));
  });

  routes.delete('/', async (c) => {
    const { user } = currentSession(c);
    const { store, pictures, onUserEvent } = c.get('services');
    const data = { object: 'user', id: user.id, deleted: true };
    store.removeUser(user.id);
    await pictures.remove(user.pictureUrl);
    onUserEvent({ type: 'user.deleted', data });
    return reply(c, data);
  });

  // Organizations are switched off; the SDK requests them all the same.
  routes.get('/organization_memberships', (c) => reply(c, { data: [], total_count: 0 }));

  return routes;
}
