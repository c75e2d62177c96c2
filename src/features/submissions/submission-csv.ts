import type { Task } from '@/features/quests';
import type { CsvColumn } from '@/lib/csv';
import { isoDay } from '@/lib/format';
import type { Submission } from './queries';
import { reviewText } from './rejection';
import { decidedBy } from './submission-status';

type TaskFacts = Pick<Task, 'id' | 'title' | 'reward_points'>;

/** Columns of the export in their order (SUBM-10); dates in ISO 8601, so that every program reads them alike. */
export function submissionColumns(tasks: readonly TaskFacts[]): CsvColumn<Submission>[] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  return [
    { header: 'Submission ID', value: (row) => row.id },
    { header: 'Task Title', value: (row) => byId.get(row.task_id)?.title ?? 'Unknown Task' },
    { header: 'Task Points', value: (row) => byId.get(row.task_id)?.reward_points ?? 0 },
    { header: 'User ID', value: (row) => row.user_id },
    { header: 'Participant Email', value: (row) => row.participant_email },
    { header: 'Proof Type', value: (row) => (row.proof_url ? 'URL' : 'Text') },
    { header: 'Proof Content', value: (row) => row.proof_text },
    { header: 'Proof URL', value: (row) => row.proof_url },
    { header: 'Status', value: (row) => row.status },
    { header: 'Review Note', value: reviewText },
    { header: 'Submitted Date', value: (row) => row.submitted_at },
    { header: 'Reviewed Date', value: (row) => row.reviewed_at },
    { header: 'Reviewed By', value: (row) => decidedBy(row.reviewed_by, 'the project') },
  ];
}

/** `quest_submissions_{title}_{date}.csv`; everything but letters and digits in the title becomes an underscore. */
export function submissionFileName(title: string, now: Date = new Date()): string {
  return `quest_submissions_${title.replace(/[^a-z0-9]/gi, '_')}_${isoDay(now)}.csv`;
}
