import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { toAppError } from '@/lib/errors';
import { storage, supabase, unwrap } from '@/lib/supabase';
import { logoPath, ownLogoPath } from './logo-image';
import { type Project, projectColumns, projectQueries } from './queries';
import type { ProfileFormValues } from './schema';
import { ensureScheme } from './website';

const bucket = 'project-logos';

/** Uploads a cropped logo and gives its public address. The bucket checks type and size again (C-56). */
async function uploadLogo(userId: string, logo: Blob): Promise<string> {
  const path = logoPath(userId, logo.type, Date.now());
  const files = (await storage()).from(bucket);
  await unwrap(files.upload(path, logo, { contentType: logo.type, cacheControl: '3600' }));
  return files.getPublicUrl(path).data.publicUrl;
}

/**
 * Removes a logo that nothing shows any more. The bucket refuses that of a picture which a project still has, so it is the
 * saved profile that decides. A failure is of no consequence to anybody: a file is left over.
 */
async function dropLogo(userId: string, logoUrl: string | null): Promise<void> {
  try {
    const files = (await storage()).from(bucket);
    const path = ownLogoPath(logoUrl, files.getPublicUrl('').data.publicUrl, userId);
    if (path) await files.remove([path]);
  } catch {
    // See above.
  }
}

/** What the form sends; `logo` is a picture that was chosen and cropped but not uploaded yet. */
export type ProfileSubmission = { values: ProfileFormValues; logo: Blob | null };

/** Saves a profile with its uploaded logo; when that fails, the logo that nobody will see goes again. */
async function saveWithLogo(
  userId: string,
  submission: ProfileSubmission,
  save: (profile: ReturnType<typeof profileArguments>) => Promise<Project>,
): Promise<Project> {
  const { values, logo } = submission;
  const uploaded = logo ? await uploadLogo(userId, logo) : null;
  try {
    return await save(profileArguments(values, uploaded ?? values.logoUrl));
  } catch (error) {
    await dropLogo(userId, uploaded);
    throw error;
  }
}

function profileArguments(values: ProfileFormValues, logoUrl: string) {
  return {
    p_name: values.name.trim(),
    p_website: ensureScheme(values.website) || undefined,
    p_logo_url: logoUrl.trim().startsWith('/') ? logoUrl.trim() : ensureScheme(logoUrl) || undefined,
    p_description: values.description.trim() || undefined,
  };
}

/**
 * The profile is known at once where it is looked at next (SPROF-01). Everything else that shows projects is read again,
 * and nobody has to wait for that.
 */
function remember(queryClient: QueryClient, project: Project): void {
  queryClient.setQueryData(projectQueries.own(project.owner_user_id).queryKey, project);
  queryClient.invalidateQueries();
}

/** Requests verification of the caller's project; verified at once in beta (SPROF-01). Errors: see create_startup_profile. */
export function useCreateProject(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (submission: ProfileSubmission): Promise<Project> =>
      saveWithLogo(userId, submission, (profile) =>
        unwrap(
          supabase()
            .rpc('create_startup_profile', { ...profile, p_industry: submission.values.industry })
            .select(projectColumns)
            .single(),
        ),
      ),
    onSuccess: (project) => remember(queryClient, project),
  });
}

/**
 * Saves the profile of a project (SPROF-06); `uploaderId` is whose folder a new logo goes into, an admin's own when an admin
 * edits (C-31). Errors: see update_startup_profile.
 */
export function useUpdateProject(project: Project, uploaderId: string = project.owner_user_id) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (submission: ProfileSubmission): Promise<Project> =>
      saveWithLogo(uploaderId, submission, (profile) =>
        unwrap(
          supabase()
            .rpc('update_startup_profile', { ...profile, p_startup_id: project.id })
            .select(projectColumns)
            .single(),
        ),
      ),
    onSuccess: (saved) => {
      remember(queryClient, saved);
      if (saved.logo_url !== project.logo_url) void dropLogo(uploaderId, project.logo_url);
    },
  });
}

/** Deletes a project without quests (SPROF-08). Errors: see delete_startup_profile. */
export function useDeleteProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (project: Project): Promise<void> => {
      await unwrap(supabase().rpc('delete_startup_profile', { p_startup_id: project.id }));
    },
    onSuccess: (_, project) => {
      void dropLogo(project.owner_user_id, project.logo_url);
      queryClient.setQueryData(projectQueries.own(project.owner_user_id).queryKey, null);
      queryClient.invalidateQueries();
    },
  });
}

/** The message of a failed creation; 'Unknown error' when nothing wordable came back (SPROF-09). */
export function createFailure(error: unknown): string {
  const { code, message } = toAppError(error);
  return `Failed to create profile: ${code === 'UNKNOWN' || message === '' ? 'Unknown error' : message}`;
}

function failure(error: unknown, fallback: string): string {
  const { code, message } = toAppError(error);
  return code === 'UNKNOWN' || message === '' ? fallback : message;
}

/** The message of a failed edit (SPROF-09). */
export function updateFailure(error: unknown): string {
  return failure(error, 'Failed to update project profile');
}

/** The message of a failed deletion (SPROF-08, SPROF-09). */
export function deleteFailure(error: unknown): string {
  return failure(error, 'Failed to delete project profile');
}
