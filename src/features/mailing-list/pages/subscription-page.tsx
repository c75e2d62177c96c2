import { Link, useSearchParams } from 'react-router-dom';
import { CenteredMessage } from '@/components/centered-message';
import { PageMeta } from '@/components/page-meta';
import { takeFocus } from '@/components/take-focus';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { describeError, isRateLimited, isRefusal } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useConfirmSubscription, useUnsubscribe } from '../mutations';

const texts = {
  confirm: {
    meta: 'Confirm your subscription',
    title: 'Get our news by email?',
    request: 'Press the button and the address that this link was sent to is on our mailing list.',
    button: 'Confirm subscription',
    // The refusal itself says what to do.
    refused: null,
    done: 'You are on the list',
    after: 'Every mail has an unsubscribe link.',
  },
  unsubscribe: {
    meta: 'Unsubscribe',
    title: 'Stop our mails?',
    request: 'Press the button and no more mails go to the address that this link was sent to.',
    button: 'Unsubscribe',
    refused:
      'If you have deleted your account, we have forgotten your address and send it nothing more. Otherwise please use the link in our latest mail.',
    done: 'You are unsubscribed',
    after: 'We will not send mails to this address any more. If you change your mind, enter it in the form below.',
  },
};

/**
 * Target of the links in mails that confirm (C-82) and end (MAIL-02, C-50) a subscription. Requires a click, because mail scanners open
 * links too; the one-click button of mail programs needs no page.
 */
export default function SubscriptionPage({ action }: { action: 'confirm' | 'unsubscribe' }) {
  const [params] = useSearchParams();
  const token = params.get('token') ?? '';
  const confirm = useConfirmSubscription();
  const unsubscribe = useUnsubscribe();
  const change = action === 'confirm' ? confirm : unsubscribe;
  const { meta, title, request, button, refused, done, after } = texts[action];
  // A link that is refused stays refused.
  const isInvalid = isRefusal(change.error) && !isRateLimited(change.error);

  return (
    <CenteredMessage>
      <PageMeta title={meta} />
      {change.isSuccess ? (
        <div ref={takeFocus} tabIndex={-1} role="status" className="grid justify-items-center gap-3 outline-none">
          <h1 className="text-3xl">{done}</h1>
          <p className="text-muted">{after}</p>
        </div>
      ) : (
        <>
          <h1 className="text-3xl">{title}</h1>
          {!isInvalid && (
            <p className="text-muted">
              {token ? request : 'This link is not complete. Please open it again from the mail.'}
            </p>
          )}
          {change.isError && <FieldError>{describeError(change.error)}</FieldError>}
          {isInvalid && refused && <p className="text-muted">{refused}</p>}
          {token && !isInvalid && (
            <Button isLoading={change.isPending} onClick={() => change.mutate(token)}>
              {button}
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
