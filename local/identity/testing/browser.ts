/** The parts of the emulator's responses that tests read. */
interface FapiBody {
  response?: {
    id: string;
    status: string | null;
    created_session_id?: string | null;
    created_user_id?: string | null;
    supported_first_factors?: { strategy: string }[];
    missing_fields?: string[];
    sessions?: { id: string; user: { id: string } }[];
    public_metadata?: Record<string, unknown>;
    unsafe_metadata?: Record<string, unknown>;
    first_name?: string | null;
    primary_email_address_id?: string;
    has_image?: boolean;
    image_url?: string;
  } | null;
  client?: { sessions: { id: string; last_active_token: { jwt: string } }[] } | null;
  errors?: { code: string; long_message: string; meta: { param_name?: string } }[];
  jwt?: string;
}

export interface FapiReply {
  status: number;
  headers: Headers;
  body: FapiBody;
  /** The first error's code, if it failed. */
  error: string | undefined;
}

/** Talks to the emulator like the SDK in one browser: through the proxy's path, with forms and a cookie jar. */
export class Browser {
  #url: string;
  readonly #cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  /** The server has restarted at another address; the cookies are kept. */
  moveTo(url: string): void {
    this.#url = url;
  }

  get(path: string): Promise<FapiReply> {
    return this.#send('GET', path);
  }

  post(path: string, form: Record<string, string> = {}): Promise<FapiReply> {
    return this.#send('POST', path, form);
  }

  upload(path: string, file: File): Promise<FapiReply> {
    const form = new FormData();
    form.set('file', file);
    return this.#send('POST', path, form);
  }

  /** Other methods are sent as POST with `_method` in the query. */
  change(method: 'PATCH' | 'DELETE', path: string, form: Record<string, string> = {}): Promise<FapiReply> {
    return this.#send('POST', `${path}?_method=${method}`, form);
  }

  signIn(email: string, password: string): Promise<FapiReply> {
    return this.post('/v1/client/sign_ins', { strategy: 'password', identifier: email, password });
  }

  /** The id of the active session; throws when signed out. */
  async sessionId(): Promise<string> {
    const { body } = await this.get('/v1/client');
    const id = body.response?.sessions?.[0]?.id;
    if (!id) throw new Error('This browser is signed out.');
    return id;
  }

  async isSignedIn(): Promise<boolean> {
    const { body } = await this.get('/v1/client');
    return (body.response?.sessions ?? []).length > 0;
  }

  async token(): Promise<string> {
    const { body } = await this.post(`/v1/client/sessions/${await this.sessionId()}/tokens`);
    if (!body.jwt) throw new Error('No token was given.');
    return body.jwt;
  }

  async #send(method: 'GET' | 'POST', path: string, form?: Record<string, string> | FormData): Promise<FapiReply> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(`${this.#url}/__clerk${path}`, {
      method,
      headers: { origin: 'http://app.test', ...(cookie ? { cookie } : {}) },
      ...(form ? { body: form instanceof FormData ? form : new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      this.#cookies.set(name, value);
    }
    const body = (await response.json()) as FapiBody;
    return { status: response.status, headers: response.headers, body, error: body.errors?.[0]?.code };
  }
}
