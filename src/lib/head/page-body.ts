import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString as textOf } from 'mdast-util-to-string';
import { formatCount, formatHours, formatNumber } from '../format.ts';
import { limitMarkdown } from '../limit-markdown.ts';
import { paths } from '../paths.ts';
import { escapeHtml, oneLine } from './head-tags.ts';
import { factsOf, type PageFacts } from './page-head.ts';
import type { PageRoute } from './page-route.ts';

/**
 * Content of a quest, a project or a public profile that is shown before any script runs: only text, the same for everybody. The app
 * keeps showing it while the page loads (components/first-content.tsx), so it has the classes of the page and its text stays in
 * place. Empty for other pages, and for what visitors may not see.
 */
export function renderBody(route: PageRoute, facts: PageFacts | null): string {
  if (facts?.state !== 'shown') return '';
  const kind = factsOf(route)?.kind;
  if (kind === 'quest') return frame('pb-16', '', questContent(facts));
  if (kind === 'project') return frame('grid gap-8 py-6 pb-16', backToProjects, projectContent(facts));
  return kind === 'member' ? frame('pb-16', '', memberContent(facts)) : '';
}

/** The header has the height of the app's, without the parts that depend on the user. */
const frame = (classes: string, before: string, content: string) =>
  `<div class="flex min-h-dvh flex-col"><header class="sticky top-0 z-30 border-b bg-paper"><div class="page-column flex h-16 items-center">` +
  `<a href="${paths.home}" class="inline-flex min-h-11 items-center gap-2 font-bold font-display text-lg tracking-tight sm:text-xl">` +
  `<span class="size-7 bg-[url(/favicon.svg)] bg-cover sm:size-8 max-[24rem]:hidden"></span>Questboard</a></div></header>` +
  `<main class="min-h-[calc(100dvh-4rem)] grow"><div data-first-page class="page-column ${classes}">${before}` +
  `<div data-first-content>${content}</div></div></main></div>`;

const words = (text: string | null) => escapeHtml(oneLine(text ?? ''));

/** The same, keeping line breaks. */
const lines = (text: string) => text.split('\n').map(words).join('\n');

const backClass = 'inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-muted hover:text-ink';
/** The icon that the pages have (lucide's ArrowLeft). */
const arrow =
  '<svg aria-hidden="true" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" ' +
  'stroke-linejoin="round" class="size-4"><path d="m12 19-7-7 7-7M19 12H5"/></svg>';
const backLink = (to: string, label: string, margin: string) =>
  `<a href="${to}" class="${margin} ${backClass}">${arrow}${label}</a>`;
const backToProjects = backLink(paths.browse('projects'), 'Back to Projects', '-mb-6');

const pageHeader = (back: string, title: string | null, lead: string) =>
  `<header class="grid gap-3 pt-6 pb-6 sm:pt-8">${back}<div class="grid min-w-0 max-w-prose gap-1.5">` +
  `<h1 class="text-3xl sm:text-4xl">${words(title)}</h1>${lead ? `<p class="dir-auto text-lg text-muted">${lead}</p>` : ''}</div></header>`;

function questContent(facts: PageFacts): string {
  const { title, summary, description, project_id: projectId, project_name: project } = facts;
  // As on the page: no text twice, each in its final place. Text that grows later would count as painted only then (LCP).
  const details = isSame(summary, description) ? '' : paragraphs(description ?? '');
  const lead = details && isBeginning(summary ?? '', description ?? '') ? '' : words(summary);
  const about = details
    ? `<section class="grid gap-3 rounded-card border bg-card p-4 sm:p-5"><h2 class="text-xl">About this quest</h2>${details}</section>`
    : '';
  const from = project
    ? `<p>A quest by <a class="font-semibold underline" href="${paths.project(projectId ?? '')}">${words(project)}</a></p>`
    : '';
  const back = backLink(paths.browse(), 'Back', '-my-2');
  const below = `<div class="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">${about}${from}</div>`;
  return `<article>${pageHeader(back, title, lead)}${besideSave}${questTerms(facts)}${below}</article>`;
}

/** Space for the row of the save button. */
const besideSave = '<div class="-mt-2 mb-4 h-7"></div>';

/** The terms that decide whether to take part, as the page words them. */
function questTerms(facts: PageFacts): string {
  const {
    reward_points: points,
    reward_title: custom,
    task_count: tasks,
    max_participants: people,
    review_hours,
  } = facts;
  const reward = [points ? formatCount(points, 'point') : '', words(custom)].filter(Boolean).join(' + ');
  const answer =
    review_hours === null
      ? 'Approved and paid at once'
      : `Reviewed within ${formatHours(review_hours)}, or approved and paid automatically`;
  return definitions('mb-6 flex flex-wrap gap-x-8 gap-y-3 border-y py-4 max-lg:*:last:basis-full', [
    [
      'Reward per person',
      reward && `${reward} <span class="font-normal text-muted">${formatCount(tasks ?? 0, 'task')}</span>`,
    ],
    ['Distribution', 'First come, first served'],
    ['Max participants', people ? formatCount(people, 'person', 'people') : ''],
    ['Review', answer],
  ]);
}

const definitions = (classes: string, terms: [label: string, html: string][]) =>
  `<dl class="${classes}">${terms
    .filter(([, html]) => html)
    .map(
      ([label, html]) =>
        `<div><dt class="text-muted text-sm">${label}</dt><dd class="flex flex-wrap items-center gap-x-2 font-semibold">${html}</dd></div>`,
    )
    .join('')}</dl>`;

function projectContent({ title, description, open_quests: open }: PageFacts): string {
  const text = lines(description ?? '');
  const about = text ? `<p class="max-w-prose dir-auto whitespace-pre-line text-lg">${text}</p>` : '';
  return (
    `<header class="flex flex-col gap-5 py-4 sm:flex-row sm:items-start"><div class="size-20 rounded-card bg-action-soft sm:size-24"></div>` +
    `<div class="grid min-w-0 gap-3"><h1 class="text-3xl [overflow-wrap:anywhere] sm:text-4xl">${words(title)}</h1>${about}` +
    `${open ? `<p>${formatCount(open, 'open quest')}</p>` : ''}</div></header>`
  );
}

const memberContent = ({ key, title, level }: PageFacts) =>
  `${pageHeader('', title, `@${words(key)}`)}<p class="font-semibold">Level ${formatNumber(level ?? 1)}</p>`;

/** The paragraphs and lists of a Markdown text as plain text, without links, images and HTML. */
function paragraphs(markdown: string): string {
  const blocks = fromMarkdown(limitMarkdown(markdown)).children.map((block) => {
    if (block.type === 'list') {
      const items = block.children.map((item) => `<li>${plain(item)}</li>`).join('');
      return `<ul dir="auto" class="list-disc ps-5">${items}</ul>`;
    }
    const text = lines(textOf(block, { includeHtml: false }));
    return text ? `<p class="dir-auto whitespace-pre-line">${text}</p>` : '';
  });
  return blocks.join('');
}

const plain = (node: Parameters<typeof textOf>[0]) => words(textOf(node, { includeHtml: false }));

const isSame = (summary: string | null, text: string | null) =>
  oneLine(summary ?? '').toLowerCase() === oneLine(text ?? '').toLowerCase();

const isBeginning = (summary: string, text: string) =>
  oneLine(text).toLowerCase().startsWith(oneLine(summary).toLowerCase().replace(/…$/, ''));
