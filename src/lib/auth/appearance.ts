import { paths } from '../paths';

/**
 * 3:1 and more against paper and card in both themes (WCAG 1.4.11); the theme's own border is a shadow with a tenth of
 * that contrast.
 */
const fieldBorder = {
  border: '1px solid var(--color-field)',
  boxShadow: 'none',
  '&:hover': { boxShadow: 'none' },
  '&:focus-within, &[data-focus-within="true"]': { boxShadow: '0 0 0 2px var(--color-action)' },
};

/** Styles the provider's screens with our colours, as CSS variables that follow the theme. */
export const appearance = {
  options: { termsPageUrl: paths.terms, privacyPageUrl: paths.privacy },
  variables: {
    colorPrimary: 'var(--color-action)',
    colorPrimaryForeground: 'var(--color-on-action)',
    colorDanger: 'var(--color-danger)',
    colorForeground: 'var(--color-ink)',
    colorMutedForeground: 'var(--color-muted)',
    colorBackground: 'var(--color-card)',
    colorInput: 'var(--color-card)',
    colorInputForeground: 'var(--color-ink)',
    colorNeutral: 'var(--color-ink)',
    colorBorder: 'var(--color-field)',
    colorRing: 'var(--color-action)',
    borderRadius: '0.5rem',
    fontFamily: 'var(--font-sans)',
    fontSize: '1rem',
  },
  elements: {
    // The provider's theme uses this attribute for its borders, so a plain class would have lower specificity.
    formFieldInput: {
      '&:not([type="checkbox"])': { minHeight: '44px' },
      '&[type="checkbox"]': { width: '20px', height: '20px' },
      '&[data-variant="default"]': fieldBorder,
    },
    // Reserves the line about a new password, which appears up to a second after the last key. Otherwise the button below would move away
    // from under a press.
    formField: { '&:has([autocomplete="new-password"]) > [aria-live] + div': { minHeight: '34px' } },
    // The theme's own colour, the muted one made translucent, has a contrast of only 2:1.
    badge: { '&[data-color="primary"]': { color: 'var(--color-ink)' } },
    // Six of these and their gaps fit a card on a screen of 360 px.
    otpCodeFieldInput: { '&[data-variant="default"]': { ...fieldBorder, width: '40px', height: '48px' } },
  },
} as const;

/** The sign-in and sign-up forms are inside our own card: no second card, and room for focus rings. */
const formElements = {
  rootBox: { width: '100%' },
  cardBox: { width: '100%', boxShadow: 'none', border: 'none', borderRadius: '0', overflow: 'visible' },
  card: {
    boxShadow: 'none',
    border: 'none',
    borderRadius: '0',
    padding: '0',
    overflow: 'visible',
    background: 'none',
  },
  headerTitle: { fontFamily: 'var(--font-display)', fontSize: '1.875rem', lineHeight: '1.15' },
  headerSubtitle: { fontSize: '1rem', color: 'var(--color-muted)' },
  identityPreview: { flexWrap: 'wrap' },
  // The whole address, so that a mistake at its end is seen.
  identityPreviewText: {
    fontWeight: '600',
    color: 'var(--color-ink)',
    whiteSpace: 'normal',
    overflowWrap: 'anywhere',
    textOverflow: 'clip',
  },
  // A word instead of a pencil icon, which is also the start of the button's accessible name.
  identityPreviewEditButton: {
    minHeight: '44px',
    color: 'var(--color-action)',
    fontSize: '1rem',
    textDecoration: 'underline',
    textUnderlineOffset: '4px',
    '&::after': { content: '"Change"' },
  },
  identityPreviewEditButtonIcon: { display: 'none' },
  formButtonPrimary: {
    minHeight: '44px',
    fontSize: '1rem',
    fontWeight: '600',
    boxShadow: 'none',
    '&::after': { display: 'none' },
    '&:hover': { backgroundColor: 'var(--color-action-strong)' },
  },
  socialButtonsBlockButton: {
    minHeight: '44px',
    '&[data-variant="outline"], &[data-variant="bordered"]': { border: '1px solid var(--color-field)' },
  },
  // Hidden, because the page has its own links below the form.
  footer: { display: 'none' },
};

/** Every step after the first has a header of its own. */
export const stepAppearance = { elements: formElements };

/** The first step uses the header of our page. */
export const firstStepAppearance = { elements: { ...formElements, header: { display: 'none' } } };

/** Our texts for the steps. The provider appends the address to 'We sent a code to', with a way to change it. */
export const localization = {
  identityPreviewEditButton__emailAddress: 'Change email address',
  identityPreviewEditButton__identifier: 'Change email address',
  formFieldAction__forgotPassword: 'Forgot password?',
  signUp: {
    emailCode: {
      title: 'Check your email',
      subtitle: 'We sent a code to',
      resendButton: 'No code yet? Send it again',
    },
  },
  signIn: {
    password: { title: 'Enter your password', subtitle: 'You are signing in as' },
    emailCode: {
      title: 'Check your email',
      subtitle: 'We sent a code to',
      resendButton: 'No code yet? Send it again',
    },
    forgotPasswordAlternativeMethods: {
      title: 'Forgot your password?',
      blockButton__resetPassword: 'Mail me a code to reset it',
      label__alternativeMethods: 'Or sign in without it',
    },
    forgotPassword: {
      title: 'Reset your password',
      subtitle_email: 'Enter the code, then choose a new password. We sent it to',
      resendButton: 'No code yet? Send it again',
    },
    resetPassword: { title: 'Choose a new password', formButtonPrimary: 'Save and sign in' },
  },
  // One line each on a phone.
  unstable__errors: {
    passwordComplexity: { sentencePrefix: 'Use' },
    zxcvbn: { goodPassword: 'This password is strong enough.' },
  },
  userProfile: {
    deletePage: {
      // The provider's own words say that data may be kept unless one writes to support.
      messageLine1:
        'Your name, your addresses and your proofs are removed. Rewards that we have not sent yet are cancelled, and your points are lost. If you have a project, its quests are closed, and its points and its plan are lost, too.',
    },
  },
} as const;
