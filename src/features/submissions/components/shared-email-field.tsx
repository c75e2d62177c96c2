import { useQuery } from '@tanstack/react-query';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { accountQueries } from '@/features/account';
import { useSession } from '@/lib/auth';
import { submissionQueries } from '../queries';

type SharedEmailFieldProps = {
  questId: string;
  value: string;
  onChange: (email: string) => void;
  error?: string;
  className?: string;
};

/**
 * The address that a quest asks for: a verified one of the member's, chosen on purpose, under the sentence that says who gets
 * it and what for. The same sentence is kept with the consent (BEY-10).
 */
export function SharedEmailField({ questId, value, onChange, error, className }: SharedEmailFieldProps) {
  const { userId } = useSession();
  const profile = useQuery({ ...accountQueries.profile(userId ?? ''), enabled: userId !== null });
  const statement = useQuery(submissionQueries.consentStatement(questId));
  const address = profile.data?.email ?? null;
  const hint = address ? statement.data : 'You have no verified email address yet. Add one under Settings first.';

  return (
    <Field label="Email" error={error} isRequired hint={profile.data && hint} className={className}>
      <Select value={value} disabled={!address || !statement.data} onChange={(event) => onChange(event.target.value)}>
        <option value="">Choose an address to share</option>
        {address && <option value={address}>{address}</option>}
      </Select>
    </Field>
  );
}
