import type { SignInAttempt, SignUpAttempt } from './attempts.ts';
import { type EmailAddress, primaryEmail, type Session, type User } from './model.ts';
import type { Verification } from './verification.ts';

function serializeVerification({ status, strategy, attempts, expiresAt }: Verification) {
  return { object: 'verification', status, strategy, attempts, expire_at: expiresAt, error: null };
}

export function serializeEmail(email: EmailAddress, verification?: Verification) {
  return {
    object: 'email_address',
    id: email.id,
    email_address: email.address,
    reserved: false,
    verification: verification
      ? serializeVerification(verification)
      : {
          object: 'verification',
          status: email.verified ? 'verified' : 'unverified',
          strategy: 'email_code',
          attempts: null,
          expire_at: null,
          error: null,
        },
    linked_to: [],
    matches_sso_connection: false,
    created_at: email.createdAt,
    updated_at: email.createdAt,
  };
}

export function serializeUser(user: User) {
  return {
    object: 'user',
    id: user.id,
    external_id: null,
    username: null,
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: user.pictureUrl ?? initialsImage(user),
    has_image: Boolean(user.pictureUrl),
    primary_email_address_id: user.primaryEmailId,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    email_addresses: user.emails.map((email) => serializeEmail(email)),
    phone_numbers: [],
    web3_wallets: [],
    external_accounts: [],
    enterprise_accounts: [],
    passkeys: [],
    organization_memberships: [],
    password_enabled: user.passwordHash !== null,
    totp_enabled: false,
    backup_code_enabled: false,
    two_factor_enabled: false,
    public_metadata: user.publicMetadata,
    unsafe_metadata: user.unsafeMetadata,
    create_organization_enabled: false,
    delete_self_enabled: true,
    last_sign_in_at: user.lastSignInAt,
    legal_accepted_at: null,
    created_at: user.createdAt,
    updated_at: user.updatedAt,
  };
}

export function serializePublicUser(user: User) {
  return {
    user_id: user.id,
    first_name: user.firstName,
    last_name: user.lastName,
    image_url: user.pictureUrl ?? initialsImage(user),
    has_image: Boolean(user.pictureUrl),
    identifier: primaryEmail(user)?.address ?? '',
  };
}

/** `jwt` is the session's current token, which saves the SDK a request. */
export function serializeSession(session: Session, user: User, jwt: string) {
  const minutesSinceSignIn = Math.floor((Date.now() - session.createdAt) / 60_000);
  return {
    object: 'session',
    id: session.id,
    status: 'active',
    expire_at: session.expiresAt,
    abandon_at: session.expiresAt,
    last_active_at: session.lastActiveAt,
    last_active_organization_id: null,
    last_active_token: { object: 'token', jwt },
    actor: null,
    tasks: null,
    factor_verification_age: [minutesSinceSignIn, -1],
    user: serializeUser(user),
    public_user_data: serializePublicUser(user),
    created_at: session.createdAt,
    updated_at: session.lastActiveAt,
  };
}

export function serializeSignIn(attempt: SignInAttempt) {
  return {
    object: 'sign_in',
    id: attempt.id,
    status: attempt.status,
    supported_identifiers: ['email_address'],
    identifier: attempt.identifier,
    user_data: serializePublicUser(attempt.user),
    supported_first_factors: firstFactors(attempt.user),
    supported_second_factors: null,
    first_factor_verification: attempt.verification ? serializeVerification(attempt.verification) : null,
    second_factor_verification: null,
    created_session_id: attempt.createdSessionId ?? null,
  };
}

function firstFactors(user: User) {
  const codes = user.emails
    .filter((email) => email.verified)
    .map((email) => ({
      safe_identifier: email.address,
      email_address_id: email.id,
      primary: email.id === user.primaryEmailId,
    }));
  return [
    ...(user.passwordHash ? [{ strategy: 'password' }] : []),
    ...codes.map((factor) => ({ strategy: 'email_code', ...factor })),
    ...codes.map((factor) => ({ strategy: 'reset_password_email_code', ...factor })),
  ];
}

export function serializeSignUp(attempt: SignUpAttempt) {
  const isVerified = attempt.verification?.status === 'verified';
  return {
    object: 'sign_up',
    id: attempt.id,
    status: attempt.status,
    required_fields: ['email_address', 'password'],
    optional_fields: ['first_name', 'last_name'],
    missing_fields: [...(attempt.emailAddress ? [] : ['email_address']), ...(attempt.passwordHash ? [] : ['password'])],
    unverified_fields: attempt.emailAddress && !isVerified ? ['email_address'] : [],
    verifications: {
      email_address: attempt.emailAddress ? signUpEmailVerification(attempt.verification) : null,
      phone_number: null,
      web3_wallet: null,
      external_account: null,
    },
    username: null,
    email_address: attempt.emailAddress ?? null,
    phone_number: null,
    web3_wallet: null,
    first_name: attempt.firstName ?? null,
    last_name: attempt.lastName ?? null,
    has_password: attempt.passwordHash !== undefined,
    unsafe_metadata: attempt.unsafeMetadata,
    created_session_id: attempt.createdSessionId ?? null,
    created_user_id: attempt.createdUserId ?? null,
    abandon_at: Date.now() + 86_400_000,
    legal_accepted_at: null,
    external_account: null,
  };
}

/** Before the first code the status must be null: the form sends one when it sees that. */
function signUpEmailVerification(verification: Verification | undefined) {
  const base = verification
    ? serializeVerification(verification)
    : { object: 'verification', status: null, strategy: null, attempts: null, expire_at: null, error: null };
  const nextAction = { verified: '', unverified: 'needs_attempt', failed: 'needs_prepare', expired: 'needs_prepare' };
  return {
    ...base,
    next_action: verification ? nextAction[verification.status] : 'needs_prepare',
    supported_strategies: ['email_code'],
  };
}

/** A data URL with the user's initials on a colour of their own, since nothing may be fetched from outside. */
function initialsImage(user: User): string {
  const initials = `${user.firstName?.charAt(0) ?? ''}${user.lastName?.charAt(0) ?? ''}`;
  const letters = (initials || (primaryEmail(user)?.address.charAt(0) ?? '')).toUpperCase();
  const hue = [...user.id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 360, 0);
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
    `<rect width="64" height="64" fill="hsl(${hue} 45% 40%)"/>`,
    '<text x="32" y="33" fill="white" font-family="system-ui,sans-serif" font-size="26" font-weight="600"',
    ` text-anchor="middle" dominant-baseline="central">${letters.replace(/[<>&]/g, '')}</text></svg>`,
  ].join('');
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
