import { QueryView } from '@/components/query-view';
import { Checkbox } from '@/components/ui/checkbox';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { cn } from '@/lib/cn';
import type { SharedEmail } from '../use-shared-email';

/** The address that a quest asks for, below the sentence that the member agrees to; nothing where it asks for none. */
export function SharedEmailField({ shared, className }: { shared: SharedEmail; className?: string }) {
  const { isAsked, queries, hasProfile, address, statement, email, setEmail, subscribes, setSubscribes } = shared;
  if (!isAsked) return null;
  const hint = address ? statement : 'You have no verified email address yet. Add one under Settings first.';
  return (
    <div className={cn('grid gap-2', className)}>
      {/* Nothing can be sent without them, so a failure is told; the field is there from the start. */}
      <QueryView query={queries} failure="Your email address could not be loaded" pending={null}>
        {() => null}
      </QueryView>
      <Field label="Email" isRequired hint={hasProfile && hint}>
        <Select value={email} disabled={!address || !statement} onChange={(event) => setEmail(event.target.value)}>
          <option value="">Choose an address to share</option>
          {address && <option value={address}>{address}</option>}
        </Select>
      </Field>
      <Checkbox
        label="Send me Questboard’s own news as well"
        checked={subscribes}
        onCheckedChange={(checked) => setSubscribes(checked === true)}
      />
    </div>
  );
}
