import { createSite, type SiteOptions } from './site.ts';

/** Written into the bundle by the build. */
declare const __SITE__: SiteOptions;

const site = createSite(__SITE__);

/** The edge function of the hosts. */
export default (request: Request): Promise<Response> => site(request);
