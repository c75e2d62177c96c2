import { useQuery } from '@tanstack/react-query';
import { settingsQueries } from '@/features/settings';
import { Loaded } from '../components/loaded';
import { ProductSettings } from './product-settings';
import { QuickActions } from './quick-actions';
import { SystemStatus } from './system-status';

/** How the system is, what can be done for it, and the product's settings (ADMIN-12, C-54). */
export function SettingsTab() {
  const settings = useQuery(settingsQueries.app());
  return (
    <div className="grid gap-5">
      <SystemStatus />
      <QuickActions />
      <Loaded query={settings} failure="The settings could not be loaded">
        {(row) => <ProductSettings settings={row} />}
      </Loaded>
    </div>
  );
}
