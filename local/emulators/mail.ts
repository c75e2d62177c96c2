import { createEmulator } from 'emulate';

const LOCAL_SENDER = 'Questboard <no-reply@questboard.local>';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  html?: string;
}

/** Resend by `emulate`: accepts mails at `/emails` and shows them at `/inbox`; nothing leaves the machine. */
export async function startMail(port: number): Promise<{ url: string; close(): Promise<void> }> {
  const emulator = await createEmulator({ service: 'resend', port, hostname: '127.0.0.1' });
  return { url: emulator.url.replace('localhost', '127.0.0.1'), close: () => emulator.close() };
}

/** Puts a mail of a local service (such as the identity emulator's sign-in code) into the same inbox. */
export async function sendMail(mailUrl: string, mail: Mail): Promise<void> {
  const response = await fetch(`${mailUrl}/emails`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ from: LOCAL_SENDER, ...mail }),
  });
  if (!response.ok) throw new Error(`The local inbox refused a mail to ${mail.to}: ${await response.text()}`);
}
