import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { callFunction } from '@/lib/authorized-fetch';
import { AppError, type ErrorOverrides, toAppError } from '@/lib/errors';
import { verifyUpload } from '@/lib/picture';
import { findOut, isRolledBack, orIsGone, untilAnswered } from '@/lib/send-once';
import { storage, supabase, unwrap } from '@/lib/supabase';
import { ensureScheme } from '@/lib/web-address';
import { logoPath, ownLogoPath } from './logo-image';
import {
  fetchFollowedIds,
  fetchOwnProject,
  fetchProject,
  type OwnedProject,
  ownProjectColumns,
  type Project,
  projectQueries,
} from './queries';
import type { ProfileFormValues } from './schema';

const bucket = 'project-logos' as const;

/** Uploads a cropped logo, has the server verify it, and resolves to its public URL (C-56, C-89). */
async function uploadLogo(userId: string, logo: Blob): Promise<string> {
  const path = logoPath(userId, logo.type, Date.now());
  const files = (await storage()).from(bucket);
  await unwrap(files.upload(path, logo, { contentType: logo.type, cacheControl: '3600' }));
  await verifyUpload(bucket, path);
  return files.getPublicUrl(path).data.publicUrl;
}

/**
 * Removes a logo that is no longer used. The bucket refuses to delete one that a project still uses. A failure is
 * harmless: an orphaned file is left for the clean-up.
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

/** Input of the form; `logo` is a cropped picture that is not uploaded yet. */
export type ProfileSubmission = { values: ProfileFormValues; logo: Blob | null };

/** Uploads the logo and saves the profile; if saving fails, the uploaded logo is removed again. */
async function saveWithLogo<Saved extends Project>(
  userId: string,
  submission: ProfileSubmission,
  save: (profile: ReturnType<typeof profileArguments>) => Promise<Saved>,
): Promise<Saved> {
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

/** Updates the cache, so that the next screen shows the profile immediately (SPROF-01). */
function setProjectInCache(queryClient: QueryClient, project: OwnedProject): void {
  queryClient.setQueryData(projectQueries.own(project.owner_user_id).queryKey, project);
}

/**
 * Requests verification of the caller's project; verified at once in beta (SPROF-01). After a lost answer, a project that is there is the
 * result (C-99). Errors: see create_startup_profile and findOut.
 */
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
        ).catch((error: unknown) => {
          if (isRolledBack(error)) throw error;
          return findOut(() => fetchOwnProject(), error);
        }),
      ),
    onSuccess: (project) => setProjectInCache(queryClient, project),
    meta: { calls: ['create_startup_profile'], refetch: 'background' },
  });
}

/** Whether a stored profile is the one that was sent to replace `before`. A logo from another host may be stored under another address. */
function isSaved(stored: Project, sent: ReturnType<typeof profileArguments>, before: Project): boolean {
  return (
    stored.name === sent.p_name &&
    (stored.description ?? undefined) === sent.p_description &&
    (stored.website ?? undefined) === sent.p_website &&
    ((stored.logo_url ?? undefined) === sent.p_logo_url || stored.logo_url !== before.logo_url)
  );
}

/**
 * Saves the profile of a project (SPROF-06); `uploaderId`: the owner or admin who saves, whose folder receives a new
 * logo (C-31). After a lost answer, what is stored is the result (C-99). Errors: see update_startup_profile and findOut.
 */
export function useUpdateProject(project: Project, uploaderId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (submission: ProfileSubmission): Promise<Project | OwnedProject> =>
      saveWithLogo<Project | OwnedProject>(uploaderId, submission, (profile) =>
        unwrap(
          supabase()
            .rpc('update_startup_profile', { ...profile, p_startup_id: project.id })
            .select(ownProjectColumns)
            .single(),
        ).catch((error: unknown) => {
          if (isRolledBack(error)) throw error;
          return findOut(async () => {
            const own = await fetchOwnProject();
            // An admin saves somebody else's.
            const stored = own?.id === project.id ? own : await fetchProject(project.id);
            return stored && isSaved(stored, profile, project) ? stored : null;
          }, error);
        }),
      ),
    onSuccess: (saved) => {
      if ('owner_user_id' in saved) setProjectInCache(queryClient, saved);
      if (saved.logo_url !== project.logo_url) void dropLogo(uploaderId, project.logo_url);
    },
    meta: { calls: ['update_startup_profile'], refetch: 'background' },
  });
}

/** Deletes a project without quests (SPROF-08). Errors: see delete_startup_profile and findOut. */
export function useDeleteProject() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (project: OwnedProject): Promise<void> => {
      await unwrap(supabase().rpc('delete_startup_profile', { p_startup_id: project.id })).catch(
        orIsGone(() => unwrap(supabase().from('startup_profiles').select('id').eq('id', project.id).maybeSingle())),
      );
    },
    onSuccess: (_, project) => {
      void dropLogo(project.owner_user_id, project.logo_url);
      queryClient.setQueryData(projectQueries.own(project.owner_user_id).queryKey, null);
    },
    meta: { calls: ['delete_startup_profile'], refetch: 'background' },
  });
}

/** Creates a secret and resolves to it; it is never shown again (BEY-13). Errors: see create_signing_secret. */
export function useCreateSigningSecret(projectId: string) {
  return useMutation({
    mutationFn: (): Promise<string> => unwrap(supabase().rpc('create_signing_secret', { p_startup_id: projectId })),
    meta: { calls: ['create_signing_secret'] },
  });
}

/** Revokes a secret: calls signed with it are refused from then on (BEY-13); idempotent. */
export function useRevokeSigningSecret(projectId: string) {
  return useMutation({
    mutationFn: (secretId: string) =>
      untilAnswered(async () => {
        await unwrap(supabase().rpc('revoke_signing_secret', { p_startup_id: projectId, p_secret_id: secretId }));
        return true;
      }),
    meta: { calls: ['revoke_signing_secret'] },
  });
}

/** Throws the error with its details, by which the founder can mend the address. The sentence alone is for members. */
async function explainTest(error: unknown): Promise<never> {
  const { code, message, status, cause } = toAppError(error);
  const { endpointProblem } = await import('./response-schemas');
  const { data } = endpointProblem.safeParse(cause);
  throw new AppError(code, [message, ...(data?.details ?? [])].join(' '), status, cause);
}

/**
 * Has the server test an endpoint like a check would (BEY-13), which a task requires. Resolves to its response for an
 * unknown token. Throws AppError with the reason when the response is not acceptable.
 */
export function useTestEndpoint() {
  return useMutation({
    mutationFn: async (url: string): Promise<boolean> => {
      const [answer, { endpointTest }] = await Promise.all([
        callFunction('check-task', { testUrl: url }).catch(explainTest),
        import('./response-schemas'),
      ]);
      return endpointTest.parse(answer).completed;
    },
    meta: { calls: ['test_endpoint'] },
  });
}

/** Messages for failures of unknown cause (SPROF-08, SPROF-09). */
export const projectErrors = {
  create: { prefix: 'Failed to create profile', fallback: 'Failed to create profile: Unknown error' },
  update: { fallback: 'Failed to update project profile' },
  delete: { fallback: 'Failed to delete project profile' },
} satisfies Record<string, ErrorOverrides>;

/**
 * Follows or unfollows a project; followers are notified of new quests. After a lost answer, what is stored is the result (C-99). Errors:
 * STARTUP_NOT_FOUND, FOLLOWED_LIMIT, and those of findOut.
 */
export function useFollowProject() {
  return useMutation({
    mutationFn: ({ id, isOn }: { id: string; isOn: boolean }): Promise<boolean> =>
      unwrap(supabase().rpc('set_project_followed', { p_startup_id: id, p_is_followed: isOn })).catch(
        (error: unknown) =>
          findOut(async () => ((await fetchFollowedIds()).includes(id) === isOn ? isOn : null), error),
      ),
    meta: { calls: ['set_project_followed'] },
  });
}
