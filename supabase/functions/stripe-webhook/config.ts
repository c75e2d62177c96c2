import type { z } from 'zod';
import { databaseVariables, lazyConfig, siteVariables, stripeVariables, webhookVariables } from '../_shared/config.ts';

const variables = databaseVariables
  .extend(siteVariables.shape)
  .extend(stripeVariables.shape)
  .extend(webhookVariables.shape);

export type WebhookConfig = z.infer<typeof variables>;
export const webhookConfig = lazyConfig(variables);
