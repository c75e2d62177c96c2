import { Link, useSearchParams } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { describeError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useConfirmSubscription } from '../mutations';

/** Target of the link in the confirmation mail (C-82). Requires a click, because mail scanners open links too. */
export default function ConfirmSubscriptionPage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const confirm = useConfirmSubscription();

  return (
    <CenteredMessage>
      <PageMeta title="Confirm your subscription" />
      {confirm.isSuccess ? (
        <div role="status" className="grid justify-items-center gap-3">
          <h1 className="text-3xl">You are on the list</h1>
          <p className="text-muted">Every mail has an unsubscribe link.</p>
        </div>
      ) : (
        <>
          <h1 className="text-3xl">Get our news by mail?</h1>
          <p className="text-muted">
            {token
              ? 'Press the button and the address that this link was sent to is on our mailing list.'
              : 'This link is not complete. Please open it again from the mail.'}
          </p>
          {confirm.isError && <FieldError>{describeError(confirm.error)}</FieldError>}
          {token && (
            <Button isLoading={confirm.isPending} onClick={() => confirm.mutate(token)}>
              Confirm subscription
            </Button>
          )}
        </>
      )}
      <Button variant="ghost" asChild>
        <Link to={paths.home}>Back to Questboard</Link>
      </Button>
    </CenteredMessage>
  );
}
