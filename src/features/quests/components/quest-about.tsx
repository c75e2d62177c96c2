import { Markdown } from '@/components/markdown';
import { Card } from '@/components/ui/card';
import type { Campaign } from '@/features/campaigns';

/** The project's own words on the quest, and its reward beside points; nothing when it gave none. */
export function QuestAbout({ campaign }: { campaign: Campaign }) {
  const { details_md: details, custom_reward_title: title, custom_reward_description: description } = campaign;
  if (!details && !description) return null;
  return (
    <Card as="section" aria-labelledby="about-quest" className="grid gap-3">
      <h2 id="about-quest" className="text-xl">
        About this quest
      </h2>
      {details && <Markdown text={details} />}
      {title && description && (
        <div>
          <h3 className="text-lg">{title}</h3>
          <p className="whitespace-pre-line">{description}</p>
        </div>
      )}
    </Card>
  );
}
