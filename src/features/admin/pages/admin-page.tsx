import { ChartNoAxesCombined } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { AdminGate } from '../components/admin-gate';
import { AdminTabPanel, AdminTabs } from '../components/admin-tabs';
import type { AdminTodo } from '../queries';
import { type AdminTab, adminTabs, readTab } from '../tabs';
import { TabContent } from './tab-content';

/** Behind which tab the waiting work is. */
const waitingIn = (todo: AdminTodo): Partial<Record<AdminTab, number>> => ({
  projects: todo.pending_startups,
  feedback: todo.new_feedback,
  redemptions: todo.pending_redemptions,
  mail: todo.failed_mails,
});

/** The admin dashboard (ADMIN-01). The tab and its filters live in the address. */
export function AdminPage() {
  return <AdminGate>{(todo) => <Dashboard todo={todo} />}</AdminGate>;
}

function Dashboard({ todo }: { todo: AdminTodo }) {
  const [params, setParams] = useSearchParams();
  const tab = readTab(params.get('tab'));
  const label = adminTabs.find(({ value }) => value === tab)?.label ?? '';
  // A tab of its own in the history; the filters of the former one do not come along.
  const handleChange = (next: AdminTab) =>
    setParams(next === 'overview' ? {} : { tab: next }, { preventScrollReset: true });

  return (
    <div className="page-column pb-16" data-work-page>
      <PageMeta title={`${label} · Admin`} />
      <PageHeader
        title="Admin dashboard"
        actions={
          <Button asChild variant="secondary">
            <Link to={paths.adminData}>
              <ChartNoAxesCombined aria-hidden="true" />
              Data dashboard
            </Link>
          </Button>
        }
      />
      <AdminTabs value={tab} onChange={handleChange} waiting={waitingIn(todo)}>
        <AdminTabPanel value={tab} title={label}>
          <TabContent tab={tab} todo={todo} />
        </AdminTabPanel>
      </AdminTabs>
    </div>
  );
}
