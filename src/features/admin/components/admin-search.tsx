import { useQuery } from '@tanstack/react-query';
import { Gift, type LucideIcon, Pin, Rocket, Search, User } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { QueryView } from '@/components/query-view';
import { SearchBox } from '@/components/search-box';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Dialog, searchResultsClass } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/skeleton';
import { VisuallyHidden } from '@/components/ui/visually-hidden';
import { cn } from '@/lib/cn';
import { formatCount } from '@/lib/format';
import { type Finding, searchQuery } from '../queries';
import { adminTabPath } from '../tabs';

/** Global search of the admin dashboard: people, projects, quests and redemptions. */
export function AdminSearch() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button variant="secondary" onClick={() => setIsOpen(true)}>
        <Search aria-hidden="true" />
        Search everything
      </Button>
      {isOpen && <SearchDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function SearchDialog({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('');
  const query = useQuery(searchQuery(search));
  return (
    <Dialog isOpen onOpenChange={onClose} title="Search everything" place="top">
      <SearchBox isFirst label="Name, email, title or id" value={search} onChange={setSearch} />
      {search === '' ? (
        <p className="mt-4 text-muted">People, projects, quests and redemptions. You can also paste an id.</p>
      ) : (
        <div className={cn(searchResultsClass, 'mt-4')}>
          <QueryView query={query} failure="The search failed" pending={<Skeleton className="h-24" />}>
            {(findings) => <Findings findings={findings} onChoose={onClose} />}
          </QueryView>
        </div>
      )}
    </Dialog>
  );
}

type Kind = { kind: string; heading: string; icon: LucideIcon; to: (finding: Finding) => string };

const kinds: readonly Kind[] = [
  { kind: 'person', heading: 'People', icon: User, to: ({ id }) => adminTabPath('people', { person: id }) },
  { kind: 'project', heading: 'Projects', icon: Rocket, to: ({ id }) => adminTabPath('projects', { project: id }) },
  { kind: 'quest', heading: 'Quests', icon: Pin, to: ({ id }) => adminTabPath('quests', { q: id }) },
  { kind: 'redemption', heading: 'Redemptions', icon: Gift, to: ({ id }) => adminTabPath('redemptions', { q: id }) },
];

/** Unusual status of a result; ordinary ones are not shown. */
const marks: Readonly<Record<string, string>> = {
  suspended: 'Suspended',
  held: 'On hold',
  pending: 'Pending',
  rejected: 'Rejected',
};

function Findings({ findings, onChoose }: { findings: readonly Finding[]; onChoose: () => void }) {
  return (
    <>
      <VisuallyHidden>
        <span role="status">{formatCount(findings.length, 'result')}</span>
      </VisuallyHidden>
      {findings.length === 0 && <p className="text-muted">Nothing has that name or id.</p>}
      {kinds.map(({ kind, heading, icon: Icon, to }) => {
        const found = findings.filter((finding) => finding.kind === kind);
        if (found.length === 0) return null;
        return (
          <section key={kind} aria-label={heading}>
            <h3 className="pt-3 pb-1 text-muted text-sm">{heading}</h3>
            <ul className="-mx-2">
              {found.map((finding) => (
                <li key={finding.id}>
                  <Link
                    to={to(finding)}
                    onClick={onChoose}
                    className="flex min-h-11 items-center gap-3 rounded-control px-2 py-1.5 -outline-offset-3 hover:bg-sunken"
                  >
                    <Icon aria-hidden="true" className="size-4 shrink-0 text-muted" />
                    <span className="min-w-0 grow">
                      <span className="block truncate font-medium">{finding.title}</span>
                      {finding.detail && <span className="block truncate text-muted text-sm">{finding.detail}</span>}
                    </span>
                    {finding.status && marks[finding.status] && <Badge>{marks[finding.status]}</Badge>}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        );
      })}
    </>
  );
}
