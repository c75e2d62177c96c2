import { z } from 'zod';
import { databaseVariables, identityVariables, lazyConfig, siteVariables } from '../_shared/config.ts';

const baseUrl = z.url({ protocol: /^https?$/ }).transform((value) => value.replace(/\/+$/, ''));

const variables = databaseVariables
  .extend(siteVariables.shape)
  .extend(identityVariables.shape)
  .extend({
    /** Enables checks of pull requests: https://api.github.com. */
    GITHUB_API_URL: baseUrl.optional(),
    /** Sent to GITHUB_API_URL only: 30 searches a minute with a token, and without one 10 for everybody behind the same address. */
    GITHUB_TOKEN: z.string().min(1).optional(),
    /** The embedded stack's demo project, which stands for https://project.questboard.test. Never set in a deployment. */
    DEMO_PROJECT_URL: baseUrl.optional(),
  });

export type CheckConfig = z.infer<typeof variables>;
export const checkConfig = lazyConfig(variables);
