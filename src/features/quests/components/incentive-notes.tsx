import { useQuery } from '@tanstack/react-query';
import { Megaphone } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { formatDay } from '@/lib/format';
import { questQueries, type Task } from '../queries';

/** Debounce before the text is checked, in milliseconds. */
const debounceMs = 600;

/** Note for members next to the instructions. */
const disclosure =
  'You earn points for this. If you post about it in public, say so, and give your honest opinion. For example: “I received Questboard points for this.”';

function useDebouncedWords(title: string, instructions: string) {
  const [words, setWords] = useState({ title, instructions });
  useEffect(() => {
    const timer = setTimeout(() => setWords({ title, instructions }), debounceMs);
    return () => clearTimeout(timer);
  }, [title, instructions]);
  return words;
}

type IncentiveNoticeProps = {
  title: string;
  instructions: string;
  /** Replaces the text by a permitted wording. */
  onReplace: (words: { title: string; instructions: string }) => void;
};

/**
 * Advice for the founder below a task's text: whose rules it breaks, or that members will disclose the reward (BEY-15).
 * It never blocks publishing, and shows nothing when the check fails.
 */
export function IncentiveNotice({ title, instructions, onReplace }: IncentiveNoticeProps) {
  const words = useDebouncedWords(title.trim(), instructions.trim());
  const { data: rules = [] } = useQuery({
    ...questQueries.incentiveRules(words.title, words.instructions),
    enabled: words.title !== '' || words.instructions !== '',
  });
  const broken = rules.filter((rule) => rule.is_forbidden);
  const first = broken[0] ?? rules[0];
  return (
    <div role="status" className="grid gap-3 empty:hidden">
      {first && broken.length === 0 && (
        <Notice title="Members must disclose the reward">
          <p>
            {first.rule} <Source {...first} />
          </p>
          <p className="mt-2">Shown with your instructions: {disclosure}</p>
        </Notice>
      )}
      {broken.map((rule) => (
        <Notice key={rule.id} tone="waiting" title={`${rule.place} may not allow this`}>
          <p>
            {rule.rule} <Source {...rule} />
          </p>
          {rule === first && (
            <>
              <p className="mt-2 text-ink">
                You could ask for this instead, which is allowed: “{rule.alternative_title}. {rule.alternative}”
              </p>
              <Button
                variant="secondary"
                className="mt-3"
                onClick={() => onReplace({ title: rule.alternative_title, instructions: rule.alternative })}
              >
                Use this wording
              </Button>
            </>
          )}
        </Notice>
      ))}
    </div>
  );
}

function Source({ source_url, source_date }: { source_url: string; source_date: string }) {
  return (
    <a href={source_url} target="_blank" rel="noopener noreferrer" className="text-action underline">
      Rule as of {formatDay(source_date)}
    </a>
  );
}

/** For members: a rewarded post or review has to say so (BEY-15). */
export function RewardDisclosure({ task }: { task: Pick<Task, 'incentive_rules'> }) {
  if (task.incentive_rules.length === 0) return null;
  return (
    <p className="flex gap-2 text-muted text-sm">
      <Megaphone aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{disclosure}</span>
    </p>
  );
}
