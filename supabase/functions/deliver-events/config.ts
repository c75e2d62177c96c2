import { lazyConfig, mailVariables } from '../_shared/config.ts';
import { workerVariables } from '../_shared/worker.ts';

export const deliveryConfig = lazyConfig(workerVariables.extend(mailVariables.shape));
