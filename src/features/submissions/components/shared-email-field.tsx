import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { accountQueries } from '@/features/account';
import { useSession } from '@/lib/auth';
import { cn } from '@/lib/cn';
import { submissionQueries } from '../queries';

type SharedEmailFieldProps = {
  questId: string;
  email: string;
  onEmailChange: (email: string) => void;
  subscribes: boolean;
  onSubscribesChange: (subscribes: boolean) => void;
  error?: string;
  className?: string;
};

/**
 * The e-mail address that a quest asks for: a verified one of the member, prefilled once, below the sentence that names
 * recipient and purpose, which is stored with the consent (BEY-10). Questboard's own news is a separate opt-in (C-76).
 */
export function SharedEmailField(props: SharedEmailFieldProps) {
  const { questId, email, onEmailChange, subscribes, onSubscribesChange, error, className } = props;
  const { userId } = useSession();
  const profile = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: userId !== null });
  const statement = useQuery(submissionQueries.consentStatement(questId));
  const address = profile.data?.email ?? null;
  const hint = address ? statement.data : 'You have no verified email address yet. Add one under Settings first.';

  const isFilledIn = useRef(false);
  useEffect(() => {
    if (isFilledIn.current || !address || !statement.data) return;
    isFilledIn.current = true;
    onEmailChange(address);
  }, [address, statement.data, onEmailChange]);

  return (
    <div className={cn('grid gap-2', className)}>
      <Field label="Email" error={error} isRequired hint={profile.data && hint}>
        <Select
          value={email}
          disabled={!address || !statement.data}
          onChange={(event) => onEmailChange(event.target.value)}
        >
          <option value="">Choose an address to share</option>
          {address && <option value={address}>{address}</option>}
        </Select>
      </Field>
      <Checkbox
        label="Send me Questboard’s own news as well"
        checked={subscribes}
        onCheckedChange={(checked) => onSubscribesChange(checked === true)}
      />
    </div>
  );
}
