import { KeyRound } from 'lucide-react';
import { Link } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';

/** Every /auth address while no identity provider is configured (ROUTE-18). */
export default function AuthNotConfiguredPage() {
  return (
    <CenteredMessage>
      <PageMeta title="Authentication Not Configured" />
      <KeyRound aria-hidden="true" className="size-10 text-field" />
      <h1 className="text-3xl">Authentication Not Configured</h1>
      <p className="max-w-prose text-muted">Signing in is not set up on this site yet. Browsing still works.</p>
      <Button asChild>
        <Link to={paths.browse()}>Browse Quests</Link>
      </Button>
    </CenteredMessage>
  );
}
