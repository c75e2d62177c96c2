import { ArrowUp } from 'lucide-react';
import { Link } from 'react-router-dom';
import { StickyAction } from '@/components/page-header';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { paths } from '@/lib/paths';

type QuestEndCardProps = { isComplete: boolean; onContinue: () => void };

/** What comes after the last task: the next quest, or the first task still open (QUEST-09). */
export function QuestEndCard({ isComplete, onContinue }: QuestEndCardProps) {
  if (!isComplete) {
    return (
      <StickyAction>
        <Button onClick={onContinue}>
          <ArrowUp aria-hidden="true" />
          Continue Quest
        </Button>
      </StickyAction>
    );
  }
  return (
    <Card as="section" aria-labelledby="quest-complete" className="grid justify-items-start gap-4 border-action">
      <div>
        <h2 id="quest-complete" className="text-2xl">
          Quest Complete
        </h2>
        <p className="text-muted">All tasks are done and your points are in your wallet.</p>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:w-full max-sm:[&>*]:grow">
        <Button asChild>
          <Link to={paths.community}>Find More Quests</Link>
        </Button>
        <Button variant="secondary" asChild>
          <Link to={paths.rewards}>View Wallet</Link>
        </Button>
      </div>
    </Card>
  );
}
