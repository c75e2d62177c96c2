import * as z from 'zod/mini';
import { createDrafts } from '@/lib/drafts';

const text = z.string();

/** What is kept of a new project's form. A chosen logo is not. */
export const profileDrafts = createDrafts(
  'profile-draft',
  z.object({ name: text, website: text, logoUrl: text, description: text, industry: text }),
);
