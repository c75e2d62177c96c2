import { Link } from 'react-router-dom';
import { PageHeader } from '@/components/page-header';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { Skeleton } from '@/components/ui/skeleton';
import { TabPanel, Tabs } from '@/components/ui/tabs';
import { useSession } from '@/lib/auth';
import { paths } from '@/lib/paths';
import { readStorage } from '@/lib/storage';
import { useUrlChoice } from '@/lib/url-state';
import { ProjectsTab } from '../components/projects-tab';
import { QuestsTab } from '../components/quests-tab';

const tabs = [
  { value: 'quests', label: 'Quests' },
  { value: 'projects', label: 'Projects' },
] as const;

/** The board itself: all published quests and all verified projects (ROUTE-02). */
export default function HubPage() {
  const [tab, setTab] = useUrlChoice('tab', ['quests', 'projects']);

  return (
    <div className="page-column pb-16">
      <PageMeta
        title={tab === 'quests' ? 'Explore quests' : 'Explore projects'}
        description="Quests of young projects: do a small task, prove it, earn points."
      />
      <PageHeader
        title="Explore the board"
        lead="Pick a quest, do a small task for a young project, earn points."
        actions={<StartEarning />}
      />
      <Tabs label="What to explore" value={tab} onChange={setTab} tabs={tabs}>
        <TabPanel value={tab}>{tab === 'quests' ? <QuestsTab /> : <ProjectsTab />}</TabPanel>
      </Tabs>
    </div>
  );
}

/** The way in for visitors (HUB-06). Its place is kept while the session loads, unless a member was here before. */
function StartEarning() {
  const { status } = useSession();
  if (status === 'loading' && readStorage('roleOwner') === null) return <Skeleton className="h-11 w-44" />;
  if (status !== 'signed-out') return null;
  return (
    <Button asChild>
      <Link to={paths.signUp()}>Start Earning Now</Link>
    </Button>
  );
}
