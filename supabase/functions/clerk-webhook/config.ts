import type { z } from 'zod';
import { databaseVariables, identityWebhookVariables, lazyConfig, siteVariables } from '../_shared/config.ts';

const variables = databaseVariables.extend(siteVariables.shape).extend(identityWebhookVariables.shape);

export type ClerkWebhookConfig = z.infer<typeof variables>;
export const clerkWebhookConfig = lazyConfig(variables);
