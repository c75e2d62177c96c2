import { databaseVariables, lazyConfig, mailVariables, siteVariables } from '../_shared/config.ts';

export const deliveryConfig = lazyConfig(databaseVariables.extend(siteVariables.shape).extend(mailVariables.shape));
