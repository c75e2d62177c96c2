import type { Quest, Task } from '@/features/quests';

const plain = (text: string) => text.replace(/\s+/g, ' ').trim().toLowerCase();

type Texts = {
  quest: Pick<Quest, 'summary' | 'details_md'>;
  tasks: readonly Pick<Task, 'instructions_md'>[];
};

/** The project's description of a quest, in Markdown; empty when its summary or a task repeats it. */
export function aboutText({ quest, tasks }: Texts): string {
  const details = plain(quest.details_md);
  const isRepeated =
    details === plain(quest.summary) || tasks.some((task) => plain(task.instructions_md).includes(details));
  return details === '' || isRepeated ? '' : quest.details_md;
}

/** The sentence under the title; empty when the description starts with it. */
export function leadText(texts: Texts): string {
  const summary = plain(texts.quest.summary).replace(/…$/, '');
  const below = [aboutText(texts), ...texts.tasks.map((task) => task.instructions_md)];
  return below.some((text) => plain(text).startsWith(summary)) ? '' : texts.quest.summary;
}
