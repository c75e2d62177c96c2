import { startMail } from './mail.ts';
import { startStripe } from './stripe.ts';

export interface EmulatorsOptions {
  /** Ports on 127.0.0.1; 0 takes a free one. */
  stripePort: number;
  resendPort: number;
  /** The product's stripe-webhook function. */
  webhookUrl: string;
  webhookSecret: string;
}

export interface Emulators {
  /** STRIPE_API_URL of the functions. */
  stripeUrl: string;
  /** RESEND_API_URL of the functions. */
  mailUrl: string;
  /** Page that lists every mail. */
  inboxUrl: string;
  /** Resolves when every payment event sent so far has had its first attempt. */
  eventsAttempted(): Promise<void>;
  close(): Promise<void>;
}

/** Starts the emulators of the payment and mail providers in this process. Their state is in memory. */
export async function startEmulators(options: EmulatorsOptions): Promise<Emulators> {
  const mail = await startMail(options.resendPort);
  try {
    const { webhookUrl, webhookSecret } = options;
    const stripe = await startStripe({ port: options.stripePort, webhookUrl, webhookSecret });
    return {
      stripeUrl: stripe.url,
      mailUrl: mail.url,
      inboxUrl: `${mail.url}/inbox`,
      eventsAttempted: stripe.eventsAttempted,
      close: async () => {
        await Promise.all([stripe.close(), mail.close()]);
      },
    };
  } catch (error) {
    await mail.close();
    throw error;
  }
}
