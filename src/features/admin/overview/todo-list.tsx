import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router-dom';
import { formatNumber } from '@/lib/format';
import { Section } from '../components/section';
import type { AdminTodo } from '../queries';
import { adminTabPath } from '../tabs';

/** What waits for an admin, each line a way there. */
export function TodoList({ todo }: { todo: AdminTodo }) {
  const lines = [
    { words: 'Projects to review', count: todo.pending_startups, to: adminTabPath('projects', { status: 'pending' }) },
    { words: 'Redemptions to fulfil', count: todo.pending_redemptions, to: adminTabPath('redemptions') },
    { words: 'New feedback', count: todo.new_feedback, to: adminTabPath('feedback', { status: 'new' }) },
    {
      words: 'Submissions in review',
      count: todo.pending_submissions,
      to: adminTabPath('submissions', { status: 'pending' }),
    },
    { words: 'Quests on hold', count: todo.held_campaigns, to: adminTabPath('quests', { status: 'held' }) },
    { words: 'Mails given up', count: todo.failed_mails, to: adminTabPath('mail') },
  ];
  return (
    <Section title="Waiting for you">
      <ul className="-mx-2">
        {lines.map(({ words, count, to }) => (
          <li key={words}>
            <Link
              to={to}
              className="flex min-h-11 items-center justify-between gap-3 rounded-control px-2 hover:bg-sunken"
            >
              <span>{words}</span>
              <span className="inline-flex items-center gap-1">
                <strong className={count > 0 ? 'tabular-nums' : 'font-normal text-muted'}>{formatNumber(count)}</strong>
                <ChevronRight aria-hidden="true" className="size-4 text-muted" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}
