import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { EmptyState } from '@/components/empty-state';
import { QueryView } from '@/components/query-view';
import { Button } from '@/components/ui/button';
import { QuestCard, QuestCardSkeleton, type QuestListItem, useOwnQuestStates } from '@/features/quests';
import { cn } from '@/lib/cn';
import { paths } from '@/lib/paths';
import { homeQueries } from '../queries';
import { Section, swipedOnPhones, trackCta } from './section';

const gridClass = cn(swipedOnPhones, 'gap-4 max-sm:min-h-80 sm:grid-cols-2 lg:min-h-84 lg:grid-cols-3');

/** Up to three quests that are open to join (HOME-04). */
export function LiveQuests() {
  return (
    <Section
      title="Live Quests"
      aside={
        <Button asChild variant="link">
          <Link to={paths.browse()} onClick={() => trackCta('Explore All Quests', 'live-quests')}>
            Explore All Quests <ArrowRight aria-hidden="true" />
          </Link>
        </Button>
      }
    >
      <Quests />
    </Section>
  );
}

function Quests() {
  const quests = useQuery(homeQueries.liveQuests());
  return (
    <QueryView query={quests} failure="The quests could not be loaded" pending={<QuestsLoading />}>
      {(list) => (list.length === 0 ? <NoLiveQuests /> : <QuestCards quests={list} />)}
    </QueryView>
  );
}

function QuestsLoading() {
  return (
    <ul aria-busy="true" aria-label="Loading quests" className={gridClass}>
      {['a', 'b', 'c'].map((key) => (
        <QuestCardSkeleton key={key} />
      ))}
    </ul>
  );
}

function NoLiveQuests() {
  return (
    <EmptyState
      level={3}
      title="No open quests right now"
      text="All spots are taken. New quests are pinned here as soon as a project publishes one."
      action={
        <Button asChild variant="secondary">
          <Link to={paths.browse('projects')}>Meet the projects</Link>
        </Button>
      }
    />
  );
}

function QuestCards({ quests }: { quests: readonly QuestListItem[] }) {
  const states = useOwnQuestStates();
  return (
    <ul className={gridClass}>
      {quests.map((quest) => (
        <QuestCard key={quest.id} quest={quest} state={states[quest.id]} />
      ))}
    </ul>
  );
}
