import { newPersona, type Persona, testEnv, tokenFor } from '../../../local/testing/clients.ts';

export interface SignedIn extends Persona {
  /** POSTs JSON with the person's session token and the app's origin, as the app does. */
  post(path: string, body: unknown): Promise<Response>;
}

/** A new user who has signed in once on the stack under test. */
export async function signIn(): Promise<SignedIn> {
  const person = newPersona();
  const { SUPABASE_URL, SUPABASE_ANON_KEY, APP_URL } = testEnv();
  const headers = {
    apikey: SUPABASE_ANON_KEY,
    authorization: `Bearer ${await tokenFor(person)}`,
    'content-type': 'application/json',
    origin: APP_URL,
  };
  const post = (path: string, body: unknown) =>
    fetch(`${SUPABASE_URL}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });

  const response = await post('/rest/v1/rpc/sync_current_user', {});
  if (!response.ok) throw new Error(`Could not sign in: ${await response.text()}`);
  return { ...person, post };
}
