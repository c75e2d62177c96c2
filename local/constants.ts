/** The Clerk host encoded in the local publishable key. No such host exists; `/__clerk` replaces it. */
const CLERK_HOST = 'clerk.questboard.local';

export const CLERK_PUBLISHABLE_KEY = `pk_test_${Buffer.from(`${CLERK_HOST}$`).toString('base64')}`;
/** The issuer of local session tokens: a name, nothing is fetched from it. */
export const IDENTITY_ISSUER = `https://${CLERK_HOST}`;

/** Path below the app's origin that Vite proxies to the emulator. */
export const CLERK_PROXY_URL = '/__clerk';

/** Shared by the Stripe emulator, which signs, and the stripe-webhook function, which verifies. */
export const STRIPE_WEBHOOK_SECRET = 'whsec_local';

/** Shared by the identity emulator, which signs, and the clerk-webhook function, which verifies. */
export const CLERK_WEBHOOK_SECRET = `whsec_${Buffer.from('local identity webhook').toString('base64')}`;
