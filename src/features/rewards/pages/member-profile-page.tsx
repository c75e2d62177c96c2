import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { FirstContent } from '@/components/first-content';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { QueryView } from '@/components/query-view';
import { Avatar } from '@/components/ui/avatar';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Skeleton } from '@/components/ui/skeleton';
import { formatMonth, formatNumber } from '@/lib/format';
import { heads, memberHead } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';
import { BadgeList } from '../components/streak';
import { levelOf } from '../level';
import { type MemberProfile, rewardQueries } from '../queries';

/** /m/{handle}: what a member has chosen to show (BEY-08). */
export default function MemberProfilePage() {
  const { handle = '' } = useParams();
  const profile = useQuery(rewardQueries.memberProfile(handle.toLowerCase()));
  return (
    <div className="page-column pb-16">
      <QueryView
        query={profile}
        failure="This profile could not be loaded"
        pending={<FirstContent part="content" fallback={<Skeleton shape="card" className="mt-8 h-96" />} />}
      >
        {(shown) => (shown ? <Profile profile={shown} /> : <Missing />)}
      </QueryView>
    </div>
  );
}

function Profile({ profile }: { profile: MemberProfile }) {
  const figures = [
    { label: 'Level', value: formatNumber(levelOf(profile.lifetime_points)) },
    { label: 'Points earned', value: formatNumber(profile.lifetime_points) },
    { label: 'Tasks done', value: formatNumber(profile.tasks_done) },
    { label: 'Projects helped', value: formatNumber(profile.projects_helped) },
    { label: 'Weeks in a row', value: formatNumber(profile.streak_weeks) },
    { label: 'Longest streak', value: formatNumber(profile.best_weeks) },
  ];
  return (
    <>
      <PageMeta {...memberHead({ key: profile.handle, title: profile.display_name })} />
      <PageHeader
        title={profile.display_name}
        lead={`@${profile.handle} · here since ${formatMonth(profile.member_since)}`}
      />
      <div className="grid gap-8">
        <Card className="flex flex-wrap items-center gap-6">
          <Avatar name={profile.display_name} src={null} />
          <dl className="grid grow grid-cols-2 gap-3 sm:grid-cols-3">
            {figures.map(({ label, value }) => (
              <div key={label} className="grid gap-0.5 rounded-control bg-sunken px-4 py-3">
                <dt className="text-muted text-sm">{label}</dt>
                <dd className="font-bold font-display text-2xl tabular-nums">{value}</dd>
              </div>
            ))}
          </dl>
        </Card>
        {profile.badges.length > 0 && (
          <section aria-labelledby="badges" className="grid gap-3">
            <h2 id="badges" className="text-2xl">
              Badges
            </h2>
            <BadgeList badges={profile.badges} />
          </section>
        )}
      </div>
    </>
  );
}

function Missing() {
  return (
    <CenteredMessage>
      <PageMeta {...heads.memberNotFound} />
      <h1 className="text-2xl">No public profile here</h1>
      <p className="text-muted">There is none under this handle, or it is not public any more.</p>
      <Button asChild>
        <Link to={paths.browse()}>Browse Quests</Link>
      </Button>
    </CenteredMessage>
  );
}
