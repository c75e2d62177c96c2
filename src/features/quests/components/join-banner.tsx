import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { paths } from '@/lib/paths';

/** What visitors see in place of proof buttons (QUEST-10). Signing up leads back to this quest. */
export function JoinBanner({ campaignId }: { campaignId: string }) {
  return (
    <Card as="section" aria-labelledby="join-quest" className="grid gap-4 border-action bg-action-soft">
      <div>
        <h2 id="join-quest" className="text-xl">
          Join to take part
        </h2>
        <p>Membership is free. Prove the tasks below, earn points and redeem them for rewards.</p>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
        <Button asChild>
          <Link to={paths.signUp({ redirect: paths.communityQuest(campaignId) })}>Join Community</Link>
        </Button>
        <Button variant="secondary" asChild>
          <Link to={paths.rewards}>See Rewards</Link>
        </Button>
      </div>
    </Card>
  );
}
