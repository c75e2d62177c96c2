import { useQuery } from '@tanstack/react-query';
import { FileText, LogOut, type LucideIcon, MessageSquarePlus, Pin, Rocket, SunMoon } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import type { OverlayProps } from '@/components/lazy-overlay';
import { Dialog, searchResultsClass } from '@/components/ui/dialog';
import { Input } from '@/components/ui/field';
import { adminTabPath, adminTabs } from '@/features/admin';
import { useOpenFeedback } from '@/features/feedback';
import { projectQueries } from '@/features/projects';
import { questQueries } from '@/features/quests';
import { type Session, useSession } from '@/lib/auth';
import { isAuthConfigured } from '@/lib/env';
import { paths, questPath } from '@/lib/paths';
import { isStartupRole } from '@/lib/role';
import { setTheme, themeOptions } from '@/lib/theme';
import { useSignOutPress } from './use-sign-out-press';

/** Maximum number of quests, and of projects, in the results. */
const maxResults = 5;
/** Minimum length of a search for quests and projects. */
const minSearchLength = 2;
/** Debounce of the search, in milliseconds. */
const debounceMs = 250;

/** One entry. `note` tells equal names apart. */
type Entry = { id: string; label: string; keywords?: string[]; note?: string; icon: LucideIcon; act: () => unknown };
type Group = { heading: string; entries: Entry[] };

export type CommandMenuProps = OverlayProps & {
  /** What was typed before its code was there. */
  typedAhead?: string;
};

/**
 * Command menu: opens pages, finds quests and projects, and runs actions by typing (BEY-12). Opened by Ctrl+K (⌘K) and
 * from the menus. Implements the ARIA combobox pattern itself, because cmdk 1.1.1 announces another entry than the one
 * that Enter activates.
 */
export default function CommandMenu({ typedAhead = '', isOpen, onOpenChange }: CommandMenuProps) {
  const [typed, setTyped] = useState(typedAhead);
  const { groups, status } = useEntries(typed.trim());
  const entries = groups.flatMap((group) => group.entries);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState<string>();
  const active = entries.find((entry) => entry.id === chosen) ?? entries[0];

  const run = (entry: Entry) => {
    onOpenChange(false);
    entry.act();
  };
  const move = (to: number) => {
    const next = entries.at(to % entries.length);
    if (!next) return;
    setChosen(next.id);
    list.current?.querySelector(`[data-entry="${CSS.escape(next.id)}"]`)?.scrollIntoView({ block: 'nearest' });
  };
  const handleKey = (event: KeyboardEvent) => {
    // During IME composition, Enter and the arrow keys belong to the input method.
    if (event.nativeEvent.isComposing || !active) return;
    if (event.key === 'ArrowDown') move(entries.indexOf(active) + 1);
    else if (event.key === 'ArrowUp') move(entries.indexOf(active) - 1);
    else if (event.key === 'Enter') run(active);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog isOpen={isOpen} onOpenChange={onOpenChange} title="Search and go to" place="top">
      <Input
        data-autofocus
        role="combobox"
        aria-label="Search and go to"
        aria-expanded={entries.length > 0}
        aria-autocomplete="list"
        aria-controls={id}
        aria-activedescendant={active && `${id}-${active.id}`}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder="A page, a quest or a project"
        value={typed}
        onChange={(event) => {
          setTyped(event.target.value);
          setChosen(undefined);
        }}
        onKeyDown={handleKey}
      />
      <p role="status" className="min-h-6 py-0.5 text-muted text-sm">
        {status ?? (entries.length === 0 ? 'No page, quest or project matches.' : '')}
      </p>
      <div ref={list} role="listbox" id={id} aria-label="Suggestions" className={searchResultsClass}>
        {groups.map(({ heading, entries: group }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a list of options
          <div key={heading} role="group" aria-labelledby={`${id}-${heading}`}>
            <p id={`${id}-${heading}`} role="presentation" className="px-3 pt-3 pb-1 text-muted text-sm">
              {heading}
            </p>
            {group.map((entry) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/useFocusableInteractive: the keys are the search field's
              <div
                key={entry.id}
                role="option"
                id={`${id}-${entry.id}`}
                data-entry={entry.id}
                aria-selected={entry === active}
                onClick={() => run(entry)}
                onPointerMove={() => setChosen(entry.id)}
                className="flex min-h-11 cursor-pointer select-none items-center gap-3 rounded-control px-3 py-1.5 aria-selected:bg-sunken"
              >
                <entry.icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
                <span className="min-w-0 grow truncate">{entry.label}</span>
                {entry.note && <span className="max-w-2/5 shrink-0 truncate text-muted text-sm">{entry.note}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
    </Dialog>
  );
}

/** The entries for this input, grouped; `status` explains missing or pending results. */
function useEntries(typed: string): { groups: Group[]; status?: string } {
  const session = useSession();
  const navigate = useNavigate();
  const signOut = useSignOutPress();
  const openFeedback = useOpenFeedback();
  const found = useFound(typed);
  const isSignedIn = session.status === 'signed-in';

  const pages = pageCommands(session)
    .filter(({ to }) => isAuthConfigured() || !to.startsWith('/auth/'))
    .map(({ to, ...page }): Entry => ({ ...page, id: to, icon: FileText, act: () => navigate(to) }));
  const actions: Entry[] = [
    { id: 'feedback', label: 'Share Feedback', keywords: ['bug', 'idea'], icon: MessageSquarePlus, act: openFeedback },
    ...themeOptions.map(({ value, label }) => ({
      id: value,
      label: `Theme: ${label}`,
      icon: SunMoon,
      act: () => setTheme(value),
    })),
  ];
  if (isSignedIn) {
    actions.push({ id: 'sign-out', label: 'Sign Out', keywords: ['log out'], icon: LogOut, act: signOut });
  }
  const quests = found.quests.map(
    ({ id, title, startup_name }): Entry => ({
      id,
      label: title,
      note: startup_name,
      icon: Pin,
      act: () => navigate(questPath(id, isSignedIn)),
    }),
  );
  const projects = found.projects.map(
    ({ id, name, industry }): Entry => ({
      id,
      label: name,
      note: industry,
      icon: Rocket,
      act: () => navigate(paths.project(id)),
    }),
  );
  // What is found comes last, because it comes late: it must not take the selection while somebody reaches for Enter.
  const groups = [
    { heading: 'Go to', entries: matching(pages, typed) },
    { heading: 'Do', entries: matching(actions, typed) },
    { heading: 'Quests', entries: quests },
    { heading: 'Projects', entries: projects },
  ];
  return { groups: groups.filter(({ entries }) => entries.length > 0), status: found.status };
}

/** Quests and projects for the debounced input; those of a former input are never among them. */
function useFound(typed: string) {
  const [search, setSearch] = useState('');
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed), debounceMs);
    return () => clearTimeout(timer);
  }, [typed]);
  const isAsked = typed.length >= minSearchLength;
  const enabled = isAsked && search.length >= minSearchLength;
  const quests = useQuery({ ...questQueries.list({ search, limit: maxResults }), enabled });
  const projects = useQuery({ ...projectQueries.named(search, maxResults), enabled });

  if (!isAsked) return { quests: [], projects: [] };
  if (search !== typed || quests.isPending || projects.isPending) {
    return { quests: [], projects: [], status: 'Searching…' };
  }
  return {
    quests: quests.data ?? [],
    projects: projects.data ?? [],
    status: quests.isError || projects.isError ? 'Quests and projects could not be searched.' : undefined,
  };
}

/** A page in the command menu. `keywords`: synonyms to find it by. */
type PageCommand = { to: string; label: string; keywords?: string[] };

const everyonesPages: PageCommand[] = [
  { to: paths.home, label: 'Home', keywords: ['start'] },
  { to: paths.browse(), label: 'Explore quests', keywords: ['hub', 'browse', 'find'] },
  { to: paths.browse('projects'), label: 'Explore projects', keywords: ['hub', 'browse', 'startups'] },
  { to: paths.rewards, label: 'Redeem Rewards', keywords: ['wallet', 'points', 'balance', 'leaderboard'] },
  { to: paths.pricing, label: 'Pricing', keywords: ['plans'] },
];

const membersPages: PageCommand[] = [
  { to: paths.community, label: 'Community Dashboard', keywords: ['next step', 'streak'] },
  { to: paths.myQuests, label: 'My quests', keywords: ['proofs', 'submissions'] },
  { to: paths.walletHistory, label: 'Points history', keywords: ['wallet', 'transactions', 'ledger'] },
  { to: paths.referrals, label: 'Referrals', keywords: ['invite', 'link'] },
];

const foundersPages: PageCommand[] = [
  { to: paths.founder, label: 'Project Dashboard', keywords: ['startup'] },
  { to: paths.review, label: 'Review', keywords: ['proofs', 'submissions', 'approve'] },
  { to: paths.createQuest, label: 'Create Quest', keywords: ['new'] },
  { to: paths.projectWallet, label: 'Project wallet', keywords: ['points', 'transactions', 'ledger'] },
  { to: paths.billing, label: 'Points and billing', keywords: ['buy', 'invoices', 'receipts'] },
  { to: paths.projectProfile, label: 'Project profile', keywords: ['logo', 'website'] },
];

const accountPages: PageCommand[] = [
  { to: paths.notifications, label: 'Notifications', keywords: ['inbox', 'news'] },
  { to: paths.profile, label: 'Edit Profile', keywords: ['name', 'public profile'] },
  { to: paths.settings, label: 'Settings', keywords: ['account', 'mail', 'export', 'delete'] },
];

const adminsPages: PageCommand[] = [
  ...adminTabs.map(({ value, label }) => ({ to: adminTabPath(value), label: `Admin: ${label}` })),
  { to: paths.adminData, label: 'Admin: Data', keywords: ['figures', 'charts'] },
];

const visitorsPages: PageCommand[] = [
  { to: paths.signIn(), label: 'Sign In', keywords: ['log in'] },
  { to: paths.signUp(), label: 'Get Started', keywords: ['sign up', 'join', 'register'] },
];

/** The pages that this role can open, its own first. */
export function pageCommands(session: Session): PageCommand[] {
  if (session.status === 'loading') return everyonesPages;
  if (session.status === 'signed-out') return [...everyonesPages, ...visitorsPages];
  const own = isStartupRole(session.role) ? foundersPages : membersPages;
  return [...own, ...everyonesPages, ...accountPages, ...(session.role === 'admin' ? adminsPages : [])];
}

/**
 * Entries for which every typed word is a prefix of a word in the label or keywords; matches in the label first. All
 * entries without input.
 */
function matching<Item extends { label: string; keywords?: string[] }>(items: Item[], typed: string): Item[] {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const startsOf = (text: string) => text.toLowerCase().split(/\s+/);
  const fits = (text: string) => words.every((word) => startsOf(text).some((start) => start.startsWith(word)));
  const inLabel = items.filter(({ label }) => fits(label));
  const inKeywords = items.filter(({ label, keywords = [] }) => !fits(label) && fits(`${label} ${keywords.join(' ')}`));
  return [...inLabel, ...inKeywords];
}
