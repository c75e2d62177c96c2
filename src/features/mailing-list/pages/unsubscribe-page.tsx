import { Link, useSearchParams } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageMeta } from '@/components/page-meta';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { describeError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useUnsubscribe } from '../mutations';

/**
 * Target of the unsubscribe link in mails (MAIL-02, C-50). Requires a click, because mail scanners open links too; the
 * one-click button of mail programs needs no page.
 */
export default function UnsubscribePage() {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const unsubscribe = useUnsubscribe();

  return (
    <CenteredMessage>
      <PageMeta title="Unsubscribe" />
      {unsubscribe.isSuccess ? (
        <div role="status" className="grid justify-items-center gap-3">
          <h1 className="text-3xl">You are unsubscribed</h1>
          <p className="text-muted">
            We will not send mails to this address any more. If you change your mind, enter it in the form below.
          </p>
        </div>
      ) : (
        <>
          <h1 className="text-3xl">Stop our mails?</h1>
          <p className="text-muted">
            {token
              ? 'Press the button and no more mails go to the address that this link was sent to.'
              : 'This link is not complete. Please open it again from the mail.'}
          </p>
          {unsubscribe.isError && <FieldError>{describeError(unsubscribe.error)}</FieldError>}
          {token && (
            <Button isLoading={unsubscribe.isPending} onClick={() => unsubscribe.mutate(token)}>
              Unsubscribe
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
