import { useState } from 'react';
import { Markdown } from '@/components/markdown';
import { Points } from '@/components/points';
import { StatusStamp } from '@/components/status-stamp';
import { Card } from '@/components/ui/card';
import { QuestCard } from '@/features/quests';
import type { Startup } from '@/features/startups';
import { questInstructions } from '../quest-payload';
import { previewQuest } from '../quest-preview';
import { useQuestForm } from './quest-context';

/** The quest as members will see it, while it is being written: on the board, then its task. */
export function QuestPreview({ startup }: { startup: Startup }) {
  const values = useQuestForm().watch();
  const [now] = useState(() => new Date().toISOString());
  const quest = previewQuest(values, startup, now);
  const spots = values.maxParticipants;
  const purpose = values.emailCollectionPurpose.trim();

  return (
    <section aria-label="Preview" className="grid gap-4">
      {/* The card's links lead nowhere yet. */}
      <div inert>
        <QuestCard
          as="article"
          quest={quest}
          slots={{ total_slots: spots, available_slots: spots, completed_slots: 0, is_quest_full: false }}
        />
      </div>
      <Card className="grid gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <p className="min-w-0 font-semibold [overflow-wrap:anywhere]">1. {quest.title}</p>
          <StatusStamp status="Not Started" />
        </div>
        <Markdown text={questInstructions(values) || 'What members should do appears here.'} />
        <Points value={quest.average_reward ?? 0} />
        {values.collectEmail && (
          <p className="text-muted text-sm">Asks for an e-mail address{purpose && ` for: ${purpose}`}.</p>
        )}
      </Card>
    </section>
  );
}
