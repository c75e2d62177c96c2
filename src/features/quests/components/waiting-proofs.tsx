import { Link } from 'react-router-dom';
import { formatCount } from '@/lib/format';
import { paths } from '@/lib/paths';

type WaitingProofsProps = {
  /** How many proofs wait. */
  waiting: number;
  questId: string;
  /** What would approve them: 'Deleting the quest'. */
  what: string;
};

/** Inside a question about removing work that waits for a decision: what happens to it, and the way to decide it first (C-98). */
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
