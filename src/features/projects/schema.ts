import * as z from 'zod/mini';
import type { Project } from './queries';
import { ensureScheme, isWebAddress } from './website';

/** The profile form of creating and editing a project (SPROF-01); industry is asked for at creation only. */
export type ProfileFormValues = {
  name: string;
  website: string;
  /** Address of a picture elsewhere, or of the uploaded logo. A path of this site is allowed for the demo's own pictures. */
  logoUrl: string;
  description: string;
  industry: string;
};

/** Where `https://` is already written for the founder (C-56). */
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

function profileSchema(nameMessage: string) {
  return z.object({
    name: z.string().check(
      z.refine((text) => text.trim() !== '', nameMessage),
      z.maxLength(120, 'Please use a shorter name'),
    ),
    website: optional(isWebAddress, 'Please enter a valid URL'),
    logoUrl: optional(isImageAddress, 'Please enter a valid image URL'),
    description: z.string().check(z.maxLength(2000, 'Please use a shorter description')),
    industry: z.string(),
  });
}

/** Rules of creating a project (SPROF-03). */
export const createProfileSchema = z.extend(profileSchema('Project name is required'), {
  industry: z
    .string()
    .check(z.refine((text) => INDUSTRIES.some((industry) => industry === text), 'Please select an industry')),
});

/** Rules of editing it; the name has another message here (SPROF-06, C-56). */
export const editProfileSchema = profileSchema('Company name is required');

/** The form of a stored project. */
export function profileValues(project: Project): ProfileFormValues {
  return {
    name: project.name,
    website: project.website ?? emptyProfile.website,
    logoUrl: project.logo_url ?? '',
    description: project.description ?? '',
    industry: project.industry,
  };
}

/** The industries of a project, in the order of the form and the hub's filter (HUB-03). */
export const INDUSTRIES = [
  'Technology',
  'Fintech',
  'Healthcare',
  'Education',
  'E-commerce',
  'SaaS',
  'AI/ML',
  'Blockchain/Crypto',
  'Gaming',
  'Social Media',
  'Real Estate',
  'Food & Beverage',
  'Fashion',
  'Travel',
  'Transportation',
  'Energy',
  'Manufacturing',
  'Media & Entertainment',
  'Non-profit',
  'Other',
] as const;
