import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { callFunction } from '@/lib/edge-functions';
import type { ErrorOverrides } from '@/lib/errors';
import { verifyUpload } from '@/lib/picture';
import { storage, supabase, unwrap } from '@/lib/supabase';
import { logoPath, ownLogoPath } from './logo-image';
import { type OwnedProject, ownProjectColumns, type Project, projectQueries } from './queries';
import type { ProfileFormValues } from './schema';
import { ensureScheme } from './website';

const bucket = 'project-logos' as const;

/** Uploads a cropped logo, has the server look into it, and gives its public address (C-56, C-89). */
async function uploadLogo(userId: string, logo: Blob): Promise<string> {
  const path = logoPath(userId, logo.type, Date.now());
  const files = (await storage()).from(bucket);
  await unwrap(files.upload(path, logo, { contentType: logo.type, cacheControl: '3600' }));
  await verifyUpload(bucket, path);
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
  save: (profile: ReturnType<typeof profileArguments>) => Promise<OwnedProject>,
): Promise<OwnedProject> {
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

/** The profile is there at once on the screen that is opened next (SPROF-01). */
function setProjectInCache(queryClient: QueryClient, project: OwnedProject): void {
  queryClient.setQueryData(projectQueries.own(project.owner_user_id).queryKey, project);
}

/** Requests verification of the caller's project; verified at once in beta (SPROF-01). Errors: see create_startup_profile. */
export function useCreateProject(userId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (submission: ProfileSubmission): Promise<OwnedProject> =>
      saveWithLogo(userId, submission, (profile) =>
        unwrap(
          supabase()
            .rpc('create_startup_profile', { ...profile, p_industry: submission.values.industry })
            .select(ownProjectColumns)
            .single(),
        ),
      ),
    onSuccess: (project) => setProjectInCache(queryClient, project),
    meta: { calls: ['create_startup_profile'], refetch: 'background' },
  });
}

/**
 * Saves the profile of a project (SPROF-06); `uploaderId` is who saves, in whose folder a new logo goes: the owner or an admin
 * (C-31). Errors: see update_startup_profile.
 */
export function useUpdateProject(project: Project, uploaderId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (submission: ProfileSubmission): Promise<OwnedProject> =>
      saveWithLogo(uploaderId, submission, (profile) =>
        unwrap(
          supabase()
            .rpc('update_startup_profile', { ...profile, p_startup_id: project.id })
            .select(ownProjectColumns)
            .single(),
        ),
      ),
    onSuccess: (saved) => {
      setProjectInCache(queryClient, saved);
      if (saved.logo_url !== project.logo_url) void dropLogo(uploaderId, project.logo_url);
    },
    meta: { calls: ['update_startup_profile'], refetch: 'background' },
  });
}

/** Deletes a project without quests (SPROF-08). Errors: see delete_startup_profile. */
export function useDeleteProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (project: OwnedProject): Promise<void> => {
      await unwrap(supabase().rpc('delete_startup_profile', { p_startup_id: project.id }));
    },
    onSuccess: (_, project) => {
      void dropLogo(project.owner_user_id, project.logo_url);
      queryClient.setQueryData(projectQueries.own(project.owner_user_id).queryKey, null);
    },
    meta: { calls: ['delete_startup_profile'], refetch: 'background' },
  });
}

/** Makes a secret and gives it, this once (BEY-13). Errors: see create_signing_secret. */
export function useCreateSigningSecret(projectId: string) {
  return useMutation({
    mutationFn: (): Promise<string> => unwrap(supabase().rpc('create_signing_secret', { p_startup_id: projectId })),
    meta: { calls: ['create_signing_secret'] },
  });
}

/** From then on calls that are signed with it are refused (BEY-13). */
export function useRevokeSigningSecret(projectId: string) {
  return useMutation({
    mutationFn: async (secretId: string): Promise<void> => {
      await unwrap(supabase().rpc('revoke_signing_secret', { p_startup_id: projectId, p_secret_id: secretId }));
    },
    meta: { calls: ['revoke_signing_secret'] },
  });
}

const tested = z.object({ completed: z.boolean() });

/**
 * Has the server ask an address as a check would (BEY-13); only then may a task use it. Gives what it said about a token that nobody has.
 * Throws AppError: why the answer will not do.
 */
export function useTestEndpoint() {
  return useMutation({
    mutationFn: async (url: string): Promise<boolean> =>
      tested.parse(await callFunction('check-task', { testUrl: url })).completed,
    meta: { calls: ['test_endpoint'] },
  });
}

/** What the screens say after a failure whose cause is not known (SPROF-08, SPROF-09). */
export const projectErrors = {
  create: { prefix: 'Failed to create profile', fallback: 'Failed to create profile: Unknown error' },
  update: { fallback: 'Failed to update project profile' },
  delete: { fallback: 'Failed to delete project profile' },
} satisfies Record<string, ErrorOverrides>;

/** Follows a project, or no longer: its new quests are told. Errors: STARTUP_NOT_FOUND, FOLLOWED_LIMIT. */
export function useFollowProject() {
  return useMutation({
    mutationFn: ({ id, isOn }: { id: string; isOn: boolean }): Promise<boolean> =>
      unwrap(supabase().rpc('set_project_followed', { p_startup_id: id, p_is_followed: isOn })),
    meta: { calls: ['set_project_followed'], refetch: 'awaited' },
  });
}
