import { Link } from 'react-router-dom';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';

type WaitingProofsProps = {
  /** Number of pending proofs. */
  waiting: number;
  questId: string;
  /** The action that would approve them: 'Deleting the quest'. */
  what: string;
};

/** Part of a confirmation that affects pending proofs: what happens to them, and a link to review them first (C-98). */
export function WaitingProofs({ waiting, questId, what }: WaitingProofsProps) {
  return (
    <p className="mt-2 rounded-control bg-warning-soft px-4 py-3 text-warning">
      {formatCount(waiting, 'proof waits', 'proofs wait')} for your decision. {what} approves and pays them all.{' '}
      <Link to={paths.questSubmissions(questId)} className="font-semibold underline">
        Review them first
      </Link>
    </p>
  );
}
