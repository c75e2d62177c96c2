/**
 * `POST /api/send-email` (MAIL-04, C-49). A signed-in person may send the welcome mail, to themselves and once; the
 * service role may send notifications. Answers `{ ok: true, sent }` or the error of `serveFunction`.
 */
import { isServiceCall, requireUser } from '../_shared/auth.ts';
import { readJson } from '../_shared/body.ts';
import { limitRate } from '../_shared/database.ts';
import { FunctionError } from '../_shared/errors.ts';
import { notificationMessage } from '../_shared/mail/messages.ts';
import { sendToReader } from '../_shared/mail/send-to-reader.ts';
import { serveFunction } from '../_shared/serve.ts';
import { type SendEmailConfig, sendEmailConfig } from './config.ts';
import { sendEmailInput } from './input.ts';
import { sendWelcome } from './welcome.ts';

const MAX_BODY_BYTES = 16 * 1024;
const MAX_CALLS = 5;
const CALLS_WINDOW_SECONDS = 600;

serveFunction({ name: 'send-email', config: sendEmailConfig, post: sendEmail });

async function sendEmail(request: Request, config: SendEmailConfig): Promise<Response> {
  if (await isServiceCall(request, config)) {
    const input = await readJson(request, sendEmailInput, MAX_BODY_BYTES);
    if (input.type !== 'notification') throw new FunctionError('FORBIDDEN');
    const key = request.headers.get('idempotency-key')?.slice(0, 200) ?? crypto.randomUUID();
    const { recipient, subject, message } = input;
    const { isSent } = await sendToReader(config, {
      email: recipient.email,
      compose: (frame) => notificationMessage({ subject, message }, frame),
      idempotencyKey: `notification/${key}`,
    });
    return Response.json({ ok: true, sent: isSent });
  }

  const userId = await requireUser(request, config);
  await limitRate(config, `user:${userId}`, 'send-email', MAX_CALLS, CALLS_WINDOW_SECONDS);
  const input = await readJson(request, sendEmailInput, MAX_BODY_BYTES);
  if (input.type !== 'welcome') throw new FunctionError('FORBIDDEN');
  return Response.json({ ok: true, sent: await sendWelcome(config, userId, input) });
}
