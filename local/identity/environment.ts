import { maximumPasswordLength, minimumPasswordLength } from './passwords.ts';

const unusedAttribute = {
  enabled: false,
  required: false,
  used_for_first_factor: false,
  first_factors: [],
  used_for_second_factor: false,
  second_factors: [],
  verifications: [],
  verify_at_sign_up: false,
};

const attributes = {
  email_address: {
    ...unusedAttribute,
    enabled: true,
    required: true,
    used_for_first_factor: true,
    first_factors: ['email_code'],
    verifications: ['email_code'],
    verify_at_sign_up: true,
  },
  password: { ...unusedAttribute, enabled: true, required: true },
  first_name: { ...unusedAttribute, enabled: true },
  last_name: { ...unusedAttribute, enabled: true },
  username: unusedAttribute,
  phone_number: unusedAttribute,
  web3_wallet: unusedAttribute,
  authenticator_app: unusedAttribute,
  backup_code: unusedAttribute,
  passkey: unusedAttribute,
};

const userSettings = {
  attributes,
  actions: { delete_self: true, create_organization: false },
  social: {},
  saml: { enabled: false },
  enterprise_sso: { enabled: false },
  sign_in: { second_factor: { required: false, enabled: false } },
  sign_up: {
    mode: 'public',
    progressive: true,
    captcha_enabled: false,
    captcha_widget_type: null,
    custom_action_required: false,
    legal_consent_enabled: false,
    allowlist_only: false,
  },
  password_settings: {
    min_length: minimumPasswordLength,
    max_length: maximumPasswordLength,
    require_special_char: false,
    require_numbers: false,
    require_uppercase: false,
    require_lowercase: false,
    // The check against leaked passwords needs the internet.
    disable_hibp: true,
    show_zxcvbn: false,
    min_zxcvbn_strength: 0,
    allowed_special_characters: '',
  },
  passkey_settings: { allow_autofill: false, show_sign_in_button: false },
  username_settings: { min_length: 4, max_length: 64 },
  restrictions: {},
};

const displayConfig = {
  object: 'display_config',
  id: 'dc_local',
  instance_environment_type: 'development',
  application_name: 'Questboard',
  branded: false,
  show_devmode_warning: false,
  captcha_public_key: null,
  captcha_widget_type: null,
  captcha_public_key_invisible: null,
  captcha_provider: 'turnstile',
  captcha_oauth_bypass: [],
  captcha_heartbeat: false,
  preferred_sign_in_strategy: 'password',
  home_url: '/',
  logo_image_url: '',
  favicon_image_url: '',
  sign_in_url: '/sign-in',
  sign_up_url: '/sign-up',
  user_profile_url: '/',
  waitlist_url: '',
  after_sign_in_url: '/',
  after_sign_up_url: '/',
  after_sign_out_all_url: '/',
  after_sign_out_one_url: '/',
  after_switch_session_url: '/',
  after_join_waitlist_url: '/',
  organization_profile_url: '',
  create_organization_url: '',
  after_leave_organization_url: '/',
  after_create_organization_url: '/',
  support_email: '',
  terms_url: '',
  privacy_policy_url: '',
  clerk_js_version: '6',
  google_one_tap_client_id: null,
  theme: {},
};

/**
 * The instance's settings, as a hosted instance for this product is configured: e-mail and password required, names
 * optional, e-mail verified by code, one session a browser, no organizations, no captcha.
 */
export const environment = {
  object: 'environment',
  id: 'env_local',
  maintenance_mode: false,
  auth_config: {
    object: 'auth_config',
    id: 'aac_local',
    single_session_mode: true,
    claimed_at: null,
    reverification: false,
    preferred_channels: {},
  },
  display_config: displayConfig,
  user_settings: userSettings,
  organization_settings: {
    enabled: false,
    max_allowed_memberships: 0,
    force_organization_selection: false,
    actions: { admin_delete: false },
    domains: { enabled: false, enrollment_modes: [], default_role: null },
    slug: { disabled: true },
  },
  commerce_settings: {
    billing: {
      stripe_publishable_key: null,
      organization: { enabled: false, has_paid_plans: false },
      user: { enabled: false, has_paid_plans: false },
    },
  },
  api_keys_settings: { enabled: false, user_api_keys_enabled: false, orgs_api_keys_enabled: false },
  protect_config: { object: 'protect_config', id: 'pc_local' },
};
