import { Ban } from 'lucide-react';
import type { DataColumn } from '@/components/data-table';
import { Points } from '@/components/points';
import { Avatar } from '@/components/ui/avatar';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { useUrlText } from '@/lib/url-state';
import { DateText } from '../components/table-cells';
import { AdminList, ListToolbar } from '../list/admin-list';
import { useAdminList, useListFilters } from '../list/paged-list';
import { PersonDialog, roleBadges } from './person-dialog';
import { type AdminPerson, peopleQueries } from './queries';

const personKey = ({ id }: AdminPerson) => id;

/** All accounts; the opened person is in the URL, so that other tabs can link to them. */
export default function PeopleTab() {
  const filter = useListFilters();
  const list = useAdminList(peopleQueries.list(filter.filters), personKey);
  const [openedId, setOpenedId] = useUrlText('person');

  const columns: DataColumn<AdminPerson>[] = [
    {
      key: 'name',
      header: 'Person',
      cell: (person) => (
        <div className="flex min-w-0 items-center gap-3 font-normal">
          <Avatar name={person.display_name ?? person.username} />
          <div className="min-w-0">
            <button
              type="button"
              className="text-left font-semibold hover:underline [overflow-wrap:anywhere]"
              onClick={() => setOpenedId(person.user_id)}
            >
              {person.username}
            </button>
            {person.display_name && person.display_name !== person.username && (
              <p className="[overflow-wrap:anywhere]">
                <bdi>{person.display_name}</bdi>
              </p>
            )}
            <p
              className="text-muted text-sm [overflow-wrap:anywhere] md:max-w-44 md:truncate xl:max-w-60"
              title={person.email ?? undefined}
            >
              {person.email ?? 'No email'}
            </p>
          </div>
        </div>
      ),
    },
    {
      key: 'role',
      header: 'Role',
      cell: (person) => (
        <span className="inline-flex flex-wrap gap-1.5 max-md:justify-end">
          <Badge>{roleBadges[person.role]}</Badge>
          {person.suspended_at && (
            <Badge tone="danger">
              <Ban aria-hidden="true" />
              Suspended
            </Badge>
          )}
        </span>
      ),
    },
    { key: 'points', header: 'Balance', isNumeric: true, cell: (person) => <Points value={person.points} /> },
    {
      key: 'lifetime',
      header: 'Earned in total',
      isNumeric: true,
      cell: (person) => <Points value={person.lifetime_points} />,
    },
    { key: 'joined', header: 'Joined', cell: (person) => <DateText at={person.created_at} /> },
    {
      key: 'actions',
      header: 'Actions',
      cell: (person) => (
        <Button variant="secondary" aria-label={`View ${person.username}`} onClick={() => setOpenedId(person.user_id)}>
          View
        </Button>
      ),
    },
  ];

  return (
    <>
      <ListToolbar filter={filter} searchLabel="Search name or email" />
      <AdminList
        list={list}
        noun="person"
        plural="people"
        columns={columns}
        rowKey={personKey}
        emptyText="Everyone who signs in appears here."
        filter={filter}
        isFiltered={filter.search !== ''}
      />
      {openedId && (
        <PersonDialog key={openedId} userId={openedId} onChanged={list.applyUpdates} onClose={() => setOpenedId('')} />
      )}
    </>
  );
}
