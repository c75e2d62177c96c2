import { useQuery } from '@tanstack/react-query';
import { QuestCard, questQueries, useOwnQuestStates } from '@/features/quests';

/** Up to three open quests for the 404 page; nothing without any. */
export default function NotFoundQuests() {
  const states = useOwnQuestStates();
  const { data: quests = [] } = useQuery(questQueries.list({ limit: 3, view: 'open' }));
  if (quests.length === 0) return null;
  return (
    <section aria-labelledby="open-quests" className="page-column grid gap-4 pb-16">
      <h2 id="open-quests" className="text-2xl">
        Open right now
      </h2>
      <ul className="card-grid">
        {quests.map((quest) => (
          <QuestCard key={quest.id} quest={quest} state={states[quest.id]} />
        ))}
      </ul>
    </section>
  );
}
