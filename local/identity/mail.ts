export type CodeStrategy = 'email_code' | 'reset_password_email_code';

/** A mail with a code. `code` repeats the one in the text, for terminals and tests. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  code: string;
}

/** Prints the mail's essence; used where no inbox is configured. */
export async function printMail({ to, subject }: Mail): Promise<void> {
  console.log(`Mail to ${to}: ${subject}`);
}

const purposes: Record<CodeStrategy, { subject: string; sentence: string }> = {
  email_code: {
    subject: 'is your Questboard verification code',
    sentence: 'Enter this code to verify your e-mail address.',
  },
  reset_password_email_code: {
    subject: 'is your Questboard password reset code',
    sentence: 'Enter this code to choose a new password.',
  },
};

export function codeMail(strategy: CodeStrategy, to: string, code: string): Mail {
  const { subject, sentence } = purposes[strategy];
  const warning =
    'It holds for ten minutes. If you did not ask for it, ignore this mail and share the code with nobody.';
  return {
    to,
    subject: `${code} ${subject}`,
    text: `${sentence}\n\n${code}\n\n${warning}\n`,
    html: [
      '<!doctype html>',
      '<body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:32rem;margin:2rem auto;padding:0 1rem">',
      `<p>${sentence}</p>`,
      `<p style="font-size:2rem;font-weight:700;letter-spacing:.2em">${code}</p>`,
      `<p style="color:#555">${warning}</p>`,
      '</body>',
    ].join('\n'),
    code,
  };
}
