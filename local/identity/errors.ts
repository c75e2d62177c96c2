/** An answer in the error shape of Clerk's Frontend API; the SDK's forms show `long_message` beside `meta.param_name`. */
export class FapiError extends Error {
  readonly status: 400 | 401 | 403 | 404 | 413 | 422 | 429;
  readonly code: string;
  /** The form field at fault. */
  readonly param: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    status: FapiError['status'],
    code: string,
    message: string,
    details: { param?: string; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = details.param;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Clerk's own codes and messages, as far as the emulator uses them. */
export const failures = {
  notFound: (what: string) => new FapiError(404, 'resource_not_found', `${what} was not found.`),
  signedOut: () => new FapiError(401, 'signed_out', 'You are signed out'),
  notAuthorized: () => new FapiError(401, 'authentication_invalid', 'Invalid authentication'),
  sessionExists: () =>
    new FapiError(
      400,
      'session_exists',
      "You're currently in single session mode. You can only be signed into one account at a time.",
    ),
  identifierNotFound: () =>
    new FapiError(422, 'form_identifier_not_found', "Couldn't find your account.", { param: 'identifier' }),
  identifierExists: (param: string) =>
    new FapiError(422, 'form_identifier_exists', 'That email address is taken. Please try another.', { param }),
  paramMissing: (param: string) => new FapiError(422, 'form_param_missing', `${param} must be included.`, { param }),
  paramInvalid: (param: string) => new FapiError(422, 'form_param_value_invalid', `${param} is invalid.`, { param }),
  paramUnknown: (param: string) =>
    new FapiError(422, 'form_param_unknown', `${param} is not a valid parameter for this request.`, { param }),
  pictureTooLarge: () =>
    new FapiError(413, 'image_too_large', 'The image being uploaded is more than 10MB.', { param: 'file' }),
  pictureInvalid: () =>
    new FapiError(422, 'image_type_not_supported', 'The image being uploaded is not supported.', { param: 'file' }),
  emailInvalid: () =>
    new FapiError(422, 'form_param_format_invalid', 'Email address must be a valid email address.', {
      param: 'email_address',
    }),
  passwordIncorrect: () =>
    new FapiError(422, 'form_password_incorrect', 'Password is incorrect. Try again, or use another method.', {
      param: 'password',
    }),
  currentPasswordIncorrect: () =>
    new FapiError(422, 'form_password_validation_failed', 'The password you entered is incorrect.', {
      param: 'current_password',
    }),
  passwordTooShort: (minimum: number, param: string) =>
    new FapiError(422, 'form_password_length_too_short', `Passwords must be ${minimum} characters or more.`, { param }),
  passwordTooLong: (maximum: number, param: string) =>
    new FapiError(422, 'form_password_length_too_long', `Passwords must be ${maximum} characters or less.`, { param }),
  codeIncorrect: () => new FapiError(422, 'form_code_incorrect', 'Incorrect code', { param: 'code' }),
  verificationMissing: () =>
    new FapiError(
      400,
      'verification_not_sent',
      'You need to send a verification code before attempting to verify this email address.',
    ),
  verificationExpired: () =>
    new FapiError(400, 'verification_expired', 'This verification has expired. You must create a new one.'),
  verificationFailed: () =>
    new FapiError(
      400,
      'verification_failed',
      'Too many failed attempts. You have to try again with the same or another method.',
    ),
  verificationUsed: () =>
    new FapiError(400, 'verification_already_verified', 'This verification has already been verified.'),
  lastEmail: () => new FapiError(400, 'last_identification_deletion', 'You cannot delete your primary email address.'),
  tooManyRequests: (retryAfterSeconds: number) =>
    new FapiError(429, 'too_many_requests', 'Too many requests. Please try again in a bit.', { retryAfterSeconds }),
};
