import type { ClerkProviderProps } from '@clerk/react';
import { buildClerkUIScriptAttributes, clerkUIScriptUrl } from '@clerk/react/internal';
import { getEnv } from '../env';

type ClerkUi = Awaited<NonNullable<NonNullable<ClerkProviderProps['ui']>['ClerkUI']>>;
type ClerkUiInstance = InstanceType<ClerkUi>;

declare global {
  interface Window {
    __internal_ClerkUICtor?: ClerkUi;
  }
}

let loading: Promise<ClerkUi> | undefined;

function loadScript(): Promise<ClerkUi> {
  const { VITE_CLERK_PUBLISHABLE_KEY: publishableKey = '', VITE_CLERK_PROXY_URL: proxyUrl } = getEnv();
  const options = { publishableKey, proxyUrl };
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = clerkUIScriptUrl(options);
    script.async = true;
    script.crossOrigin = 'anonymous';
    for (const [name, value] of Object.entries(buildClerkUIScriptAttributes(options))) script.setAttribute(name, value);
    script.onload = () => {
      if (window.__internal_ClerkUICtor) resolve(window.__internal_ClerkUICtor);
      else reject(new Error('The sign-in form did not load.'));
    };
    script.onerror = () => reject(new Error('The sign-in form did not load.'));
    document.head.append(script);
  });
}

/**
 * Proxy for the provider's form library, some 400 KB that only the auth pages need; loads it when a form is first
 * mounted. `prefetchUI: false` alone would leave the provider without any forms. Mounting names the component
 * (`preloadHint`); every other call concerns mounted forms only, and waits for the library.
 */
export class LazyClerkUi implements ClerkUiInstance {
  static version = '1';
  version = '1';
  readonly #parameters: ConstructorParameters<ClerkUi>;
  #isAsked = false;
  readonly #instance = Promise.withResolvers<ClerkUiInstance>();

  constructor(...parameters: ConstructorParameters<ClerkUi>) {
    this.#parameters = parameters;
  }

  #load(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    // After a failure the next mount retries.
    loading ??= loadScript().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    loading.then((Ui) => this.#instance.resolve(new Ui(...this.#parameters)), this.#instance.reject);
  }

  async ensureMounted(options?: Parameters<ClerkUiInstance['ensureMounted']>[0]) {
    if (options?.preloadHint) this.#load();
    return (await this.#instance.promise).ensureMounted(options);
  }
}
