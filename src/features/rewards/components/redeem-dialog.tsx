import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { Form, SubmitButton } from '@/components/form';
import { Points } from '@/components/points';
import { Button } from '@/components/ui/button';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError, Input, Select } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { useZodForm } from '@/components/zod-form';
import { describeError, toAppError } from '@/lib/errors';
import { maybeHidden } from '@/lib/hidden-characters';
import { checkingSentence, forgetKey, unansweredKey } from '@/lib/send-once';
import * as databaseSentences from '@/types/database-errors';
import { redeemCall, useRedeemReward } from '../mutations';
import { type Redemption, type Reward, rewardQueries } from '../queries';
import { checkRedeem, explanationOf, formatStock, isOutOfStock } from '../redeem-check';
import { type Address, addressSchema, countries, likelyCountry } from '../schema';
import { RewardCode } from './redemption-list';
import { RewardPicture } from './reward-picture';

type RedeemProps = {
  reward: Reward;
  /** Points that can be redeemed. */
  balance: number;
  /** Points that cannot be yet. */
  held?: number;
  onClose: () => void;
};

type RedeemSummaryProps = Omit<RedeemProps, 'onClose'> & { isGone: boolean };

/** Cost, stock and the balance before and after (REWARD-08). */
function RedeemSummary({ reward, balance, held = 0, isGone }: RedeemSummaryProps) {
  const { balanceAfter } = checkRedeem(reward, balance);
  const after = balanceAfter === null ? 'Not enough points' : <Points value={balanceAfter} />;
  const lines = [
    { label: 'Cost', value: <Points value={reward.points_cost} /> },
    { label: 'Remaining stock', value: formatStock(reward.stock_quantity) },
    { label: 'Balance before', value: <Points value={balance} /> },
    ...(held > 0 ? [{ label: 'Held, not redeemable yet', value: <Points value={held} /> }] : []),
    // Next to a refusal, a lower balance would look as if the points were gone.
    ...((isGone || isOutOfStock(reward)) && balanceAfter !== null ? [] : [{ label: 'Balance after', value: after }]),
  ];
  return (
    <dl className="grid gap-2 rounded-control bg-sunken p-4">
      {lines.map(({ label, value }) => (
        <div key={label} className="flex flex-wrap justify-between gap-x-4">
          <dt className="text-muted">{label}</dt>
          <dd className="ml-auto font-semibold tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What happens after pressing Redeem, before it is pressed. */
const promises: Record<Reward['delivery'], string | null> = {
  // Whether it is reviewed depends on flags that members do not see (C-95).
  code: 'You get the code at once, unless we have to review the redemption first.',
  mail: 'It comes by email, to the address of your account.',
  post: 'It comes by post, to the address that you enter.',
  other: null,
};

/** What happens after redeeming; the code itself is shown where there is room for it. */
function nextOf({ delivery, status }: Pick<Redemption, 'delivery' | 'status'>): string {
  if (delivery !== 'code') return 'We will tell you when it is on its way.';
  return status === 'fulfilled' ? 'Its code is under Your redemptions.' : explanationOf({ delivery, status });
}

type RedeemFormProps = OpenProps & { redeem: ReturnType<typeof useRedeemReward> };

/** Marks the fields of a refused address that contain invisible characters; false when none is found. */
function markHidden(form: OpenProps['form'], address: Address, error: unknown): boolean {
  if (toAppError(error).code !== 'HIDDEN_CHARACTERS') return false;
  const names = Object.keys(address) as (keyof Address)[];
  const marked = names.filter((name) => maybeHidden.test(address[name]));
  for (const [index, name] of marked.entries()) {
    form.setError(name, { message: databaseSentences.HIDDEN_CHARACTERS }, { shouldFocus: index === 0 });
  }
  return marked.length > 0;
}

/** An earlier call whose answer was lost is looked up first: it may have gone through (C-99). */
function RedeemForm({ redeem, form, onClose, ...latest }: RedeemFormProps) {
  // Keeps what was on the screen when Redeem was pressed: a refetch may bring the new stock and balance before the outcome is known.
  const [pressed, setPressed] = useState(latest);
  const { reward, balance, held } = redeem.isPending ? pressed : latest;
  const [earlierKey] = useState(() => unansweredKey(redeemCall(reward.id)));
  const earlier = useQuery({ ...rewardQueries.byKey(earlierKey ?? ''), enabled: earlierKey !== null });
  const [isChecking, setIsChecking] = useState(false);
  const { canRedeem, reasons } = checkRedeem(reward, balance, held);
  const failure = redeem.isError ? describeError(redeem.error) : null;
  // The reward is no longer offered, so pressing again could only be refused again.
  const isGone = redeem.isError && toAppError(redeem.error).code === 'REWARD_NOT_FOUND';
  const isLookingUp = earlierKey !== null && earlier.isPending;
  // Not repeated next to a refusal that already gives the reason.
  const obstacles = isLookingUp ? [] : reasons.filter((reason) => !failure?.includes(reason));
  const isPosted = reward.delivery === 'post';
  // Null once the page has been left, possibly before the answer: a toast shows it then.
  const shown = useRef<HTMLFormElement>(null);

  useEffect(() => {
    if (earlier.data) forgetKey(redeemCall(reward.id));
  }, [earlier.data, reward.id]);

  const handleRedeem = async (address?: Address) => {
    setPressed(latest);
    try {
      const redemption = await redeem.mutateAsync({ reward, address, onChecking: () => setIsChecking(true) });
      // A code stays on screen in the dialog.
      if (reward.delivery === 'code' && shown.current) return;
      toast.success(`${reward.title} is yours. ${nextOf(redemption)}`);
      onClose();
    } catch (error) {
      if (!shown.current) toast.error(describeError(error));
      else if (address && markHidden(form, address, error)) redeem.reset();
    } finally {
      setIsChecking(false);
    }
  };

  if (earlier.data) return <Redeemed redemption={earlier.data} lead="It went through: " onClose={onClose} />;
  if (redeem.data && reward.delivery === 'code') return <Redeemed redemption={redeem.data} onClose={onClose} />;
  return (
    <Form
      ref={shown}
      className="contents"
      aria-label="Redeem"
      onSubmit={isPosted ? form.handleSubmit((address) => handleRedeem(address)) : () => handleRedeem()}
    >
      <div className="grid gap-4">
        <RewardPicture reward={reward} className="aspect-21/9 w-full" />
        <div>
          <h3 className="text-lg">{reward.title}</h3>
          {reward.description && <p className="dir-auto whitespace-pre-line text-muted">{reward.description}</p>}
          {promises[reward.delivery] && <p className="font-medium">{promises[reward.delivery]}</p>}
        </div>
        <RedeemSummary reward={reward} balance={balance} held={held} isGone={isGone} />
        {obstacles.map((reason) => (
          <p key={reason} className="rounded-control bg-warning-soft px-4 py-3 font-medium text-warning">
            {reason}
          </p>
        ))}
        {isPosted && canRedeem && <AddressFields form={form} />}
        {(isLookingUp || isChecking) && <p role="status">{checkingSentence}</p>}
        {failure && <FieldError>{failure}</FieldError>}
      </div>
      <DialogActions>
        <Button variant="secondary" disabled={redeem.isPending} onClick={onClose}>
          Cancel
        </Button>
        <SubmitButton disabled={!canRedeem || isLookingUp || isGone} isSubmitting={redeem.isPending}>
          Redeem
        </SubmitButton>
      </DialogActions>
    </Form>
  );
}

type RedeemedProps = {
  redemption: Pick<Redemption, 'id' | 'reward_title' | 'status' | 'delivery'>;
  lead?: string;
  onClose: () => void;
};

/** What was redeemed: a code is shown at once, anything else is on its way. */
function Redeemed({ redemption, lead = '', onClose }: RedeemedProps) {
  const { id, reward_title, status, delivery } = redemption;
  const hasCode = delivery === 'code' && status === 'fulfilled';
  return (
    <>
      <div className="grid gap-4">
        <p role="status">
          {lead}
          {reward_title} is yours. {!hasCode && nextOf(redemption)}
        </p>
        {hasCode && <RewardCode redemptionId={id} isShownAtOnce />}
      </div>
      <DialogActions>
        <Button onClick={onClose}>Done</Button>
      </DialogActions>
    </>
  );
}

type RedeemDialogProps = Omit<RedeemProps, 'reward'> & { reward: Reward | null };

/** Redeem Reward: what it costs, what is left, and the decision (REWARD-08, REWARD-09, REWARD-11). Null: closed. */
export function RedeemDialog({ reward, ...rest }: RedeemDialogProps) {
  // An address that was typed outlives a press beside the dialog, as long as the page is open; nothing stores it.
  const form = useAddressForm();
  return reward && <OpenRedeemDialog key={reward.id} reward={reward} form={form} {...rest} />;
}

type OpenProps = RedeemProps & { form: ReturnType<typeof useAddressForm> };

/** Stays open while the reward is being redeemed, because its outcome is shown here. */
function OpenRedeemDialog(props: OpenProps) {
  const redeem = useRedeemReward();
  const { reset } = props.form;
  // Keeps the typed address, but not its earlier errors.
  useEffect(() => reset(undefined, { keepValues: true }), [reset]);
  return (
    <Dialog isOpen onOpenChange={(isOpen) => !isOpen && !redeem.isPending && props.onClose()} title="Redeem Reward">
      <RedeemForm {...props} redeem={redeem} />
    </Dialog>
  );
}

/** The form of an address, empty but for the likeliest country. */
function useAddressForm() {
  const [country] = useState(likelyCountry);
  return useZodForm(addressSchema, {
    defaultValues: { name: '', street: '', extra: '', postal_code: '', city: '', region: '', country },
  });
}

/** The postal address of a reward, with a note on what happens to it (C-93). */
function AddressFields({ form }: { form: ReturnType<typeof useAddressForm> }) {
  const {
    register,
    formState: { errors },
  } = form;
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3 font-semibold">Where should we send it?</legend>
      <Field label="Name" isRequired error={errors.name?.message}>
        <Input autoComplete="name" {...register('name')} />
      </Field>
      <Field label="Street and number" isRequired error={errors.street?.message}>
        <Input autoComplete="address-line1" {...register('street')} />
      </Field>
      <Field label="Flat, floor or company" hint="Optional" error={errors.extra?.message}>
        <Input autoComplete="address-line2" {...register('extra')} />
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-[1fr_2fr]">
        <Field label="Postal code" error={errors.postal_code?.message}>
          <Input autoComplete="postal-code" {...register('postal_code')} />
        </Field>
        <Field label="Town or city" isRequired error={errors.city?.message}>
          <Input autoComplete="address-level2" {...register('city')} />
        </Field>
      </div>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="State or region" hint="Optional" error={errors.region?.message}>
          <Input autoComplete="address-level1" {...register('region')} />
        </Field>
        <Field label="Country" isRequired error={errors.country?.message}>
          <Select autoComplete="country" {...register('country')}>
            <option value="">Choose a country</option>
            {countries().map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      <p className="text-muted text-sm">
        Only the people who send it see this address. We delete it 90 days after it was sent.
      </p>
    </fieldset>
  );
}
