import type { z } from 'zod';
import { databaseVariables, identityVariables, lazyConfig, mailVariables, siteVariables } from '../_shared/config.ts';

const variables = databaseVariables
  .extend(siteVariables.shape)
  .extend(identityVariables.shape)
  .extend(mailVariables.shape);

export type SendEmailConfig = z.infer<typeof variables>;
export const sendEmailConfig = lazyConfig(variables);
