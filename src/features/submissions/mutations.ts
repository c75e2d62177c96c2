import { useMutation, useQueryClient } from '@tanstack/react-query';
import { callFunction } from '@/lib/authorized-fetch';
import { AppError, describeError, hadNoEffect, toAppError } from '@/lib/errors';
import { findOut, outcomeUnknownSentence, untilAnswered } from '@/lib/send-once';
import { keepaliveClient, storage, supabase, unwrap } from '@/lib/supabase';
import type { Outcome, PendingReview, Reviewed } from './decisions';
import { proofBucket } from './proof';
import { findOpenSubmission, type Submission, submissionQueries } from './queries';

/** Where the quest asks for an address; `consent`: the sentence that was shown with it (BEY-10). */
type SharedValues = { email?: string; subscribes?: boolean; consent?: string };
/** All parts are optional, but the server requires a URL or a text. `url` is a link or `proofs/{object name}`. */
export type ProofPayload = SharedValues & { url?: string; text?: string };
export type SubmitProofInput = {
  taskId: string;
  proof: ProofPayload;
  /** The reward that was shown (TRUST-20). */
  expectedReward?: number;
};

/** The arguments that every call for a task has. */
const sharedArguments = ({ email, subscribes, consent }: SharedValues, expectedReward?: number) => ({
  p_email: email || undefined,
  p_expected_reward: expectedReward,
  p_subscribe: subscribes || undefined,
  p_consent: consent,
});

/**
 * Submits the caller's proof of a task; in beta it is returned approved (RULE-02). Throws AppError (docs/errors.md).
 */
async function submitProof({ taskId, proof, expectedReward }: SubmitProofInput): Promise<Submission> {
  return unwrap(
    supabase().rpc('submit_proof', {
      p_task_id: taskId,
      p_url: proof.url || undefined,
      p_text: proof.text || undefined,
      ...sharedArguments(proof, expectedReward),
    }),
  );
}

/**
 * The submission of a task whose call failed with `error`: after a lost answer, or from a second tab, an existing one is the result, not an
 * error (C-99). Throws as findOut does.
 */
async function orSubmitted(taskId: string, userId: string, error: unknown): Promise<Submission> {
  const find = () => findOpenSubmission(taskId, userId);
  const earlier = toAppError(error).code === 'ALREADY_SUBMITTED' ? await find() : null;
  return earlier ?? findOut(find, error);
}

type SubmitOnceInput = SubmitProofInput & { userId: string; onChecking?: () => void };

/** `isSent`: whether the submission holds the proof of this call, rather than one sent from another tab. */
type SubmitResult = { submission: Submission; isSent: boolean };

/** The server trims what it stores. */
const isSame = (stored: string | null, sent: string | undefined) => (stored ?? '') === (sent ?? '').trim();

/** The same for a call that may be a repeat. */
async function submitProofOnce({ userId, onChecking, ...input }: SubmitOnceInput): Promise<SubmitResult> {
  const { url, text } = input.proof;
  try {
    return { submission: await submitProof(input), isSent: true };
  } catch (error) {
    if (!hadNoEffect(error)) onChecking?.();
    const submission = await orSubmitted(input.taskId, userId, error);
    return { submission, isSent: isSame(submission.proof_url, url) && isSame(submission.proof_text, text) };
  }
}

/** Writes a returned submission into the cached list, so that its status does not wait for the refetch. */
function useSetSubmissionInCache() {
  const queryClient = useQueryClient();
  return (submission: Submission) => {
    const { queryKey } = submissionQueries.mine(submission.user_id, submission.campaign_id);
    queryClient.setQueryData(queryKey, (list) =>
      list ? [...list.filter(({ id }) => id !== submission.id), submission] : undefined,
    );
  };
}

/** Submits a proof; invalidates wallet, quest and submissions (QUEST-18). */
export function useSubmitProof() {
  const setSubmissionInCache = useSetSubmissionInCache();
  return useMutation({
    mutationFn: submitProofOnce,
    onSuccess: ({ submission }) => setSubmissionInCache(submission),
    meta: { calls: ['submit_proof'], refetch: 'background' },
  });
}

/** The fixed proof text for a task without proof (C-05). */
const quickProof = 'Quick verified';

type QuickVerifyInput = Omit<SubmitOnceInput, 'proof' | 'onChecking'> & SharedValues;

/**
 * Submits the fixed proof (QUEST-13), which is approved at once or waits for the owner (C-04, C-79). After a lost
 * answer, an existing submission is the result (C-99). Unlike with a proof, submitting twice is refused (QUEST-15).
 */
export function useQuickVerify() {
  const setSubmissionInCache = useSetSubmissionInCache();
  return useMutation({
    mutationFn: async ({ taskId, userId, expectedReward, ...shared }: QuickVerifyInput): Promise<Submission> => {
      try {
        return await submitProof({ taskId, expectedReward, proof: { text: quickProof, ...shared } });
      } catch (error) {
        return findOut(() => findOpenSubmission(taskId, userId), error);
      }
    },
    onSuccess: setSubmissionInCache,
    meta: { calls: ['submit_proof'], refetch: 'background' },
  });
}

type VerifyInput = SharedValues & { taskId: string; userId: string };

/** The server's record of a task that it has just completed. Failing to read it does not mean that the task failed (C-99). */
async function completedSubmission(taskId: string, userId: string): Promise<Submission> {
  const find = () => findOpenSubmission(taskId, userId);
  const submission = await find()
    .catch((error: unknown) => findOut(find, error))
    .catch((error: unknown) => {
      throw new AppError('OUTCOME_UNKNOWN', unreadSentence, toAppError(error).status, error);
    });
  if (submission) return submission;
  throw new AppError('UNKNOWN', 'Something went wrong on our side. Please try again.');
}

const unreadSentence = 'The task is completed. It will show here as soon as you are back online.';

type SubmitCodeInput = VerifyInput & { code: string; expectedReward: number };
/** No submission means that the code was wrong. */
type CodeAnswer = { submission: Submission | null; triesLeft: number };

/** Completes a task with its code (BEY-13). After a lost answer, or from a second tab, an existing submission is the result (C-99). */
export function useSubmitCode() {
  const setSubmissionInCache = useSetSubmissionInCache();
  return useMutation({
    mutationFn: async ({ taskId, userId, code, expectedReward, ...shared }: SubmitCodeInput) => {
      // The type generator does not know the columns of a single row.
      const call = supabase()
        .rpc('submit_completion_code', {
          p_task_id: taskId,
          p_code: code,
          ...sharedArguments(shared, expectedReward),
        })
        .overrideTypes<{ is_accepted: boolean; tries_left: number }>();
      let answer: Awaited<typeof call>['data'];
      try {
        answer = await unwrap(call);
      } catch (error) {
        return { submission: await orSubmitted(taskId, userId, error), triesLeft: 0 };
      }
      const submission = answer.is_accepted ? await completedSubmission(taskId, userId) : null;
      return { submission, triesLeft: answer.tries_left } satisfies CodeAnswer;
    },
    onSuccess: ({ submission }) => submission && setSubmissionInCache(submission),
    meta: { calls: ['submit_completion_code'], refetch: 'background' },
  });
}

/** `expectedReward`: the reward that was shown, which is guaranteed to the member (TRUST-20). */
type StartInput = Omit<VerifyInput, 'userId'> & { expectedReward: number };

/**
 * Starts a task that the project confirms; resolves to the member's personal link and token (BEY-13), which are the same each time: after a
 * lost answer it is sent again, because the address may have been shared (C-99). Errors: see start_task and untilAnswered.
 */
export function useStartTask() {
  return useMutation({
    mutationFn: ({ taskId, expectedReward, ...shared }: StartInput) =>
      untilAnswered(() =>
        unwrap(
          supabase()
            .rpc('start_task', {
              p_task_id: taskId,
              ...sharedArguments(shared, expectedReward),
            })
            .single(),
        ),
      ),
    meta: { calls: ['start_task'] },
  });
}

type CheckInput = StartInput & { userId: string };

/**
 * Has the server check with the project whether the task is done (BEY-13). Throws AppError when it is not, or when the
 * check failed.
 */
export function useCheckTask() {
  const setSubmissionInCache = useSetSubmissionInCache();
  return useMutation({
    mutationFn: async ({ userId, ...input }: CheckInput): Promise<Submission> => {
      const { taskId } = input;
      try {
        await callFunction('check-task', input);
      } catch (error) {
        return orSubmitted(taskId, userId, error);
      }
      return completedSubmission(taskId, userId);
    },
    onSuccess: setSubmissionInCache,
    meta: { calls: ['check_task'], refetch: 'background' },
  });
}

/** Maximum number of submissions per call. */
const batchSize = 100;

/**
 * Sends a decision in batches of a hundred. The server decides each submission exactly once and is idempotent, so a
 * call without an answer is retried. The requests are sent with keepalive, so that they outlive the page.
 */
export async function sendReview({ ids, decision, note, reason }: PendingReview): Promise<Outcome> {
  const reviewed: Reviewed[] = [];
  const failures = new Map<string, string>();
  const sendBatch = async (batch: readonly string[]) => {
    const send = () =>
      unwrap(
        keepaliveClient().rpc('review_submissions', {
          p_submission_ids: [...batch],
          p_decision: decision,
          p_note: note || undefined,
          p_reason: reason,
        }),
      );
    // A refusal of the second call, such as without a network by then, says nothing about the first.
    let isLost = false;
    try {
      const rows = await send().catch((error: unknown) => {
        if (hadNoEffect(error)) throw error;
        isLost = true;
        return send();
      });
      for (const { submission_id: id, status, error_message, error_code: _, ...row } of rows)
        if (status) reviewed.push({ id, status, ...row });
        else failures.set(id, error_message ?? 'Unknown error');
    } catch (error) {
      const sentence = isLost ? outcomeUnknownSentence : describeError(error);
      for (const id of batch) failures.set(id, sentence);
    }
  };
  const batches = Array.from({ length: Math.ceil(ids.length / batchSize) }, (_, index) =>
    ids.slice(index * batchSize, (index + 1) * batchSize),
  );
  await Promise.all(batches.map(sendBatch));
  return { reviewed, failures };
}

/** Withdraws an e-mail address from a project (BEY-10). Errors: see withdraw_email_consent. */
export function useWithdrawConsent() {
  return useMutation({
    meta: { calls: ['withdraw_email_consent'] },
    mutationFn: (consentId: string) =>
      untilAnswered(async () => {
        await unwrap(supabase().rpc('withdraw_email_consent', { p_consent_id: consentId }));
        return true;
      }),
  });
}

/** Removes an uploaded screenshot that no submission uses. Throws AppError 'Delete failed: ...' (ERR-02). */
export async function deleteScreenshot(objectName: string): Promise<void> {
  const { error } = await (await storage()).from(proofBucket).remove([objectName]);
  if (error) throw new AppError('DELETE_FAILED', `Delete failed: ${error.message}`, 0, error);
}
