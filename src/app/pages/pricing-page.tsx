import { Link } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { useIsBeta } from '@/features/settings';
import { heads } from '@/lib/head/page-head';
import { paths } from '@/lib/paths';

/** ROUTE-05; the plans themselves are on the home page (C-28). */
export default function PricingPage() {
  const isBeta = useIsBeta();
  return (
    <CenteredMessage>
      <PageMeta {...heads.pricing} />
      <h1 className="text-3xl">Pricing - Coming Soon</h1>
      <p className="max-w-prose text-muted">
        {isBeta && 'Questboard is free during the beta. '}The current plans are on the home page.
      </p>
      <Button variant="secondary" asChild>
        <Link to={`${paths.home}#pricing`}>See the plans</Link>
      </Button>
    </CenteredMessage>
  );
}
