import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { settingsQueries } from '@/features/settings';
import { paths } from '@/lib/paths';

/** ROUTE-05; the plans themselves are on the home page (C-28). */
export default function PricingPage() {
  const { data: settings } = useQuery(settingsQueries.app());
  return (
    <CenteredMessage>
      <PageMeta title="Pricing" />
      <h1 className="text-3xl">Pricing - Coming Soon</h1>
      <p className="max-w-prose text-muted">
        {settings?.beta_mode && 'Questboard is free during the beta. '}The current plans are on the home page.
      </p>
      <Button variant="secondary" asChild>
        <Link to={`${paths.home}#pricing`}>See the plans</Link>
      </Button>
    </CenteredMessage>
  );
}
