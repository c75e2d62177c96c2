/** The edge function for each path of the app's own origin. Hosts rewrite them; the embedded gateway does the same. */
export const API_ROUTES: Readonly<Record<string, string>> = {
  '/api/send-email': 'send-email',
  '/api/stripe/create-checkout-session': 'create-checkout-session',
};

interface Proxied {
  target: string;
  /** Sends the project's own host name, by which a hosted gateway finds the project. */
  changeOrigin: boolean;
  rewrite: (url: string) => string;
}

/** The same for Vite's proxy. `gateway` is a Supabase project, or the embedded stack. */
export function apiProxy(gateway: string): Record<string, Proxied> {
  return Object.fromEntries(
    Object.entries(API_ROUTES).map(([path, name]) => [
      path,
      { target: gateway, changeOrigin: true, rewrite: (url) => url.replace(path, `/functions/v1/${name}`) },
    ]),
  );
}
