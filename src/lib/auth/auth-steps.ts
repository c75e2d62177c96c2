import { paths } from '../paths';

const pages = [paths.signIn(), paths.signUp()];

/** The provider gives each further step of signing in or up a URL below the page's; this returns the page's path. */
export function authPageOf(pathname: string): string {
  return pages.find((page) => pathname.startsWith(`${page}/`)) ?? pathname;
}

/** Whether this is the first step, which the page introduces; the provider's form introduces the others. */
export function isFirstAuthStep(pathname: string): boolean {
  return authPageOf(pathname) === pathname;
}
