import { paths } from '@/lib/paths';

/** The legal texts, each a dialog in the footer (HEAD-10) and a page of its own. */
export const legalTexts = {
  privacy: { title: 'Privacy policy', path: paths.privacy },
  terms: { title: 'Terms of use', path: paths.terms },
  cookies: { title: 'Cookie policy', path: paths.cookies },
} as const;

export type LegalText = keyof typeof legalTexts;
