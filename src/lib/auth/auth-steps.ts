import { paths } from '../paths';

const pages = [paths.signIn(), paths.signUp()];

/** The provider gives each further step of signing in or up an address below the page's own; this is the page of it. */
export function authPageOf(pathname: string): string {
  return pages.find((page) => pathname.startsWith(`${page}/`)) ?? pathname;
}

/** True on the step that the page itself introduces, false on those that the provider's form does. */
export function isFirstAuthStep(pathname: string): boolean {
  return authPageOf(pathname) === pathname;
}
