import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { type SubmissionSort, submissionSorts } from '../submission-order';

const sortWords: Record<SubmissionSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  task: 'Task, first to last',
  '-task': 'Task, last to first',
  member: 'User ID, A to Z',
  '-member': 'User ID, Z to A',
  status: 'Status, pending first',
  '-status': 'Status, rejected first',
};

type SortChoiceProps = { sort: SubmissionSort; onSort: (sort: SubmissionSort) => void };

/** The same orders as the table's headings, for phones, where the rows are cards. */
export function SortChoice({ sort, onSort }: SortChoiceProps) {
  return (
    <Field label="Sort by" className="md:hidden">
      <Select
        value={sort}
        onChange={({ target }) => onSort(submissionSorts.find((known) => known === target.value) ?? sort)}
      >
        {submissionSorts.map((value) => (
          <option key={value} value={value}>
            {sortWords[value]}
          </option>
        ))}
      </Select>
    </Field>
  );
}
