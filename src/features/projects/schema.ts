import * as z from 'zod/mini';
import { createDrafts } from '@/lib/drafts';
import { ensureScheme, isWebAddress } from '@/lib/web-address';
import * as databaseSentences from '@/types/database-errors';
import { INDUSTRIES } from './project';
import type { Project } from './queries';

/** The profile form for creating and editing a project (SPROF-01); industry at creation only. */
export type ProfileFormValues = {
  name: string;
  website: string;
  /** URL of an external picture or of the uploaded logo. Paths on this site are allowed for the demo's pictures. */
  logoUrl: string;
  description: string;
  industry: string;
};

/** Initial values, with `https://` prefilled (C-56). */
export const emptyProfile: ProfileFormValues = {
  name: '',
  website: 'https://',
  logoUrl: '',
  description: '',
  industry: '',
};

const optional = (isValid: (text: string) => boolean, message: string) =>
  z.string().check(z.refine((text) => ensureScheme(text) === '' || isValid(text.trim()), message));

const isImageAddress = (text: string) => /^\/[^/\\]/.test(text) || isWebAddress(text);

/** Maximum lengths, the same as in the database. */
export const profileLimits = { name: 120, description: 2000 } as const;

function profileSchema(nameMessage: string) {
  return z.object({
    name: z.string().check(
      z.refine((text) => text.trim() !== '', nameMessage),
      z.maxLength(profileLimits.name, databaseSentences.NAME_TOO_LONG),
    ),
    website: optional(isWebAddress, databaseSentences.INVALID_WEBSITE),
    logoUrl: optional(isImageAddress, databaseSentences.INVALID_LOGO_URL),
    description: z.string().check(z.maxLength(profileLimits.description, databaseSentences.DESCRIPTION_TOO_LONG)),
    industry: z.string(),
  });
}

/** Rules of creating a project (SPROF-03). */
export const createProfileSchema = z.extend(profileSchema(databaseSentences.NAME_REQUIRED), {
  industry: z
    .string()
    .check(z.refine((text) => INDUSTRIES.some((industry) => industry === text), databaseSentences.INDUSTRY_REQUIRED)),
});

/** Rules of editing a project, with another message for the name (SPROF-06, C-56). */
export const editProfileSchema = profileSchema(databaseSentences.COMPANY_NAME_REQUIRED);

/** Form values of a stored project. */
export function profileValues(project: Project): ProfileFormValues {
  return {
    name: project.name,
    website: project.website ?? emptyProfile.website,
    logoUrl: project.logo_url ?? '',
    description: project.description ?? '',
    industry: project.industry,
  };
}

const text = z.string();

/** What is kept of a new project's form. A chosen logo is not. */
export const profileDrafts = createDrafts(
  'profile-draft',
  z.object({ name: text, website: text, logoUrl: text, description: text, industry: text }),
);
