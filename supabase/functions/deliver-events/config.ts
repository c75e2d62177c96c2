import type { z } from 'zod';
import { databaseVariables, lazyConfig, mailVariables, siteVariables } from '../_shared/config.ts';

const variables = databaseVariables.extend(siteVariables.shape).extend(mailVariables.shape);

export type DeliveryConfig = z.infer<typeof variables>;
export const deliveryConfig = lazyConfig(variables);
