import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Notice } from '@/components/notice';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { accountQueries } from '@/features/account';
import type { OwnedProject } from '@/features/projects';
import { type AppealedDecision, appealQueries } from '../queries';
import { AppealDialog, AppealState } from './appeal';

/**
 * Notice of a suspension, its reason, and the one appeal; nothing for everybody else (BEY-04). `since`: the project's
 * suspension, used until the profile has loaded.
 */
export function SuspensionNotice({ userId, since = null }: { userId: string; since?: string | null }) {
  const profile = useQuery(accountQueries.profile(userId)).data;
  const at = profile ? profile.suspended_at : since;
  if (at === null) return null;
  return (
    <DecisionNotice
      title="Your account is suspended"
      reason={profile?.suspension_reason ?? null}
      consequence="You can look around, but not submit, publish, buy or redeem. Your points and your own lists are kept, and open again when it ends. If you have a project, it is hidden and its quests are on hold; their points stay reserved."
      decision={{ userId, kind: 'suspension', at }}
    />
  );
}

/** Why an admin has rejected a project or revoked its verification; a revocation can be appealed once (C-91). */
export function ProjectDecisionNotice({ project }: { project: OwnedProject }) {
  if (project.status !== 'rejected') return null;
  if (project.revoked_at === null) {
    return (
      <Notice tone="danger" title="Your project was not approved">
        {project.review_note && (
          <p className="dir-auto whitespace-pre-line [overflow-wrap:anywhere]">{project.review_note}</p>
        )}
        <p>Please contact support if you think that this is a mistake.</p>
      </Notice>
    );
  }
  return (
    <DecisionNotice
      title="The verification of your project was revoked"
      reason={project.review_note}
      consequence="Your project is no longer listed and its quests are on hold. Their points stay reserved, and waiting proofs are kept."
      decision={{ userId: project.owner_user_id, kind: 'revocation', at: project.revoked_at }}
    />
  );
}

type DecisionNoticeProps = { title: string; reason: string | null; consequence: string; decision: AppealedDecision };

function DecisionNotice({ title, reason, consequence, decision }: DecisionNoticeProps) {
  const appeal = useQuery(appealQueries.against(decision));
  const [isAppealing, setIsAppealing] = useState(false);
  const canAppeal = appeal.data === null;
  return (
    <>
      <Notice
        tone="danger"
        title={title}
        actions={
          canAppeal && (
            <Button variant="secondary" onClick={() => setIsAppealing(true)}>
              Appeal
            </Button>
          )
        }
      >
        {reason && <p className="dir-auto whitespace-pre-line text-ink [overflow-wrap:anywhere]">{reason}</p>}
        <p>{consequence}</p>
        <QueryView query={appeal} failure="Your appeal could not be loaded" pending={<Skeleton className="h-6 w-48" />}>
          {(loaded) => (loaded ? <AppealState appeal={loaded} /> : <p>You can appeal once.</p>)}
        </QueryView>
      </Notice>
      {/* Unmounted as soon as there is an appeal, even if it came from an earlier press whose answer was lost. */}
      {canAppeal && <AppealDialog decision={decision} isOpen={isAppealing} onOpenChange={setIsAppealing} />}
    </>
  );
}
