import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentProps, useState } from 'react';
import { ConfirmDialog } from '@/components/alert-dialogs';
import { Form, SubmitButton } from '@/components/form';
import { PictureField, usePreviewUrl } from '@/components/picture-field';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError, Input, Select, Textarea } from '@/components/ui/field';
import { toast } from '@/components/ui/toast';
import { useZodForm } from '@/components/zod-form';
import { pointPacks } from '@/features/checkout';
import { type Reward, RewardPicture } from '@/features/rewards';
import { settingsQueries } from '@/features/settings';
import { describeError, toAppError } from '@/lib/errors';
import { formatCount, formatUsd } from '@/lib/format';
import { maybeHidden } from '@/lib/hidden-characters';
import { notAPicture } from '@/lib/picture';
import { checkingSentence } from '@/lib/send-once';
import { usePictureChoice } from '@/lib/use-picture-choice';
import {
  acceptedImageTypes,
  rewardImageProblem,
  useAddRewardCodes,
  useRemoveRewardCodes,
  useSaveReward,
} from './mutations';
import { adminRewardQueries } from './queries';
import {
  arbitragePrice,
  changedPayload,
  codeLines,
  invalidCodes,
  type RewardForm,
  rewardForm,
  rewardSchema,
} from './schema';

/** Creates a reward, or changes one (C-45). */
export function RewardDialog({ reward, onClose }: { reward: Reward | null; onClose: () => void }) {
  const save = useSaveReward();
  const addCodes = useAddRewardCodes();
  // If the codes are refused, the reward is already saved: the next attempt updates it instead of creating another.
  const [saved, setSaved] = useState(reward);
  const [isChecking, setIsChecking] = useState(false);
  const [image, setImage] = useState<File | null>(null);
  const [imageUrl, setImageUrl] = useState(reward?.image_url ?? null);
  const choice = usePictureChoice({ read: readRewardImage, onRead: setImage });
  const pictureUrl = usePreviewUrl(image) ?? imageUrl;
  const form = useZodForm(rewardSchema, { defaultValues: rewardForm(reward) });
  const { errors } = form.formState;
  const [delivery, pointsCost, cashValue] = form.watch(['delivery', 'pointsCost', 'cashValue']);
  const { data: settings } = useQuery({ ...settingsQueries.app(), enabled: cashValue !== '' });
  const price = settings ? arbitragePrice({ pointsCost, cashValue }, pointPacks(settings)) : null;
  const isSaving = save.isPending || addCodes.isPending;
  const client = useQueryClient();

  /** Shows what has changed meanwhile, beside what was typed; another press replaces it. The refusal has refetched the list. */
  const takeOver = (typed: RewardForm) => {
    const stored = client.getQueryData(adminRewardQueries.all().queryKey)?.find(({ id }) => id === saved?.id);
    if (!saved || !stored) return;
    const [seen, now] = [rewardForm(saved), rewardForm(stored)];
    form.reset(now, { keepDirtyValues: true });
    if (imageUrl === saved.image_url) setImageUrl(stored.image_url);
    setSaved(stored);
    const names = (['title', 'description', 'pointsCost', 'stock', 'cashValue'] as const).filter(
      (name) => typed[name] !== seen[name] && now[name] !== seen[name],
    );
    for (const [index, name] of names.entries()) {
      const message = `Meanwhile: ${now[name] || 'empty'}. Save again to replace it.`;
      form.setError(name, { message }, { shouldFocus: index === 0 });
    }
  };

  const handleValid = form.handleSubmit(async (values) => {
    try {
      const isSameImage = imageUrl === (saved?.image_url ?? null);
      const changes = { ...changedPayload(values, saved), ...(!isSameImage && { image_url: imageUrl }) };
      const stored = await save.mutateAsync({
        reward: saved,
        values: changes,
        image,
        onChecking: () => setIsChecking(true),
      });
      setSaved(stored);
      const lines = values.delivery === 'code' ? codeLines(values.codes) : [];
      const codes = [...new Set(lines)];
      const added =
        codes.length > 0
          ? await addCodes.mutateAsync({ rewardId: stored.id, codes, onChecking: () => setIsChecking(true) })
          : null;
      toast.success(
        [
          reward ? 'Reward saved' : 'Reward created',
          added && addedSentence({ ...added, pastedTwice: lines.length - codes.length }),
        ]
          .filter(Boolean)
          .join('. '),
      );
      onClose();
    } catch (error) {
      if (toAppError(error).code === 'REWARD_CHANGED') takeOver(values);
      // The form shows other reasons. This one belongs at the field, because only the form knows the lines.
      if (toAppError(error).code === 'INVALID_CODE') {
        const where = invalidCodes(values.codes, (code) => maybeHidden.test(code));
        form.setError('codes', { message: `${savedWithoutCodes}: ${where}` }, { shouldFocus: true });
        addCodes.reset();
      }
    } finally {
      setIsChecking(false);
    }
  });

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && !isSaving && onClose()}
      title={reward ? `Edit “${reward.title}”` : 'New reward'}
      isDirty={!isSaving && (form.formState.isDirty || image !== null || imageUrl !== (saved?.image_url ?? null))}
    >
      <Form aria-label="Reward" className="grid gap-4" onSubmit={handleValid}>
        <Field label="Title" isRequired error={errors.title?.message}>
          {/* A new one only: what is edited is read first, and the keyboard of a phone would cover it. */}
          <Input data-autofocus={reward ? undefined : true} {...form.register('title')} />
        </Field>
        <Field label="Description" error={errors.description?.message}>
          <Textarea rows={3} {...form.register('description')} />
        </Field>
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <Field label="Cost in points" isRequired error={errors.pointsCost?.message}>
            <Input inputMode="numeric" {...form.register('pointsCost')} />
          </Field>
          {delivery === 'code' ? (
            <Field key="of-codes" label="Stock" hint="Counted from its codes">
              <Input
                readOnly
                value={formatCount(saved?.delivery === 'code' ? (saved.stock_quantity ?? 0) : 0, 'code')}
              />
            </Field>
          ) : (
            <Field key="typed" label="Stock" hint="Empty: unlimited" error={errors.stock?.message}>
              <Input inputMode="numeric" {...form.register('stock')} />
            </Field>
          )}
          <Field label="Value in US$" hint="Optional" error={errors.cashValue?.message}>
            <Input inputMode="decimal" {...form.register('cashValue')} />
          </Field>
        </div>
        <p role="status" className="text-sm text-warning empty:sr-only">
          {price !== null &&
            `A project can buy these points for ${formatUsd(price)}, pay a friend with them, and gain by the difference.`}
        </p>
        <Field label="How members get it" hint={deliveries[delivery].hint}>
          <Select {...form.register('delivery')}>
            {Object.entries(deliveries).map(([value, { label }]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        {delivery === 'code' && (
          <CodesField
            reward={saved}
            onRemoved={() => setSaved((old) => old && { ...old, stock_quantity: 0 })}
            error={errors.codes?.message}
            {...form.register('codes')}
          />
        )}
        <PictureField
          label="Picture"
          hint="PNG, JPG or WebP, max 5MB. Shown at 16:9. Without one, we draw what the title says."
          types={acceptedImageTypes}
          preview={
            <RewardPicture
              key={pictureUrl}
              reward={{
                id: reward?.id ?? 'new',
                title: form.watch('title'),
                description: form.watch('description'),
                image_url: pictureUrl,
              }}
              className="aspect-16/9 w-full max-w-64"
            />
          }
          hasPicture={pictureUrl !== null}
          problem={choice.problem}
          onChoose={(file) => void choice.choose(file)}
          onRemove={() => {
            choice.forget();
            setImage(null);
            setImageUrl(null);
          }}
        />
        <Checkbox
          label="Members can redeem it"
          hint="Inactive rewards are hidden; past redemptions stay valid."
          checked={form.watch('isActive')}
          onChange={(checked) => form.setValue('isActive', checked, { shouldDirty: true })}
        />
        {isChecking && <p role="status">{checkingSentence}</p>}
        {save.isError && <FieldError>{describeError(save.error)}</FieldError>}
        {addCodes.isError && <FieldError>{describeError(addCodes.error, { prefix: savedWithoutCodes })}</FieldError>}
        <DialogActions>
          <Button variant="secondary" disabled={isSaving} onClick={onClose}>
            Cancel
          </Button>
          {/* While a chosen picture is being read, the reward would be saved without it. */}
          <SubmitButton isSubmitting={isSaving || choice.isReading}>
            {reward ? 'Save reward' : 'Create reward'}
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const deliveries: Record<Reward['delivery'], { label: string; hint: string }> = {
  code: { label: 'By code, at once', hint: 'Each redemption shows one of your codes, to that member only.' },
  mail: { label: 'By email', hint: 'You write to the address of the member’s account.' },
  post: { label: 'By post', hint: 'Members enter an address when they redeem. You see it with the redemption.' },
  other: { label: 'Some other way', hint: 'Say in the description how.' },
};

const savedWithoutCodes = 'The reward is saved, its codes are not';

type Added = { sent: number; added: number | null; repeated: number; pastedTwice: number };

const addedSentence = ({ sent, added, repeated, pastedTwice }: Added) =>
  [
    ...(added === null
      ? [formatCount(sent, 'code is stored', 'codes are stored')]
      : [formatCount(added, 'new code'), repeated > 0 && `${formatCount(repeated, 'was', 'were')} there already`]),
    pastedTwice > 0 && `${formatCount(pastedTwice, 'was', 'were')} pasted twice`,
  ]
    .filter(Boolean)
    .join(', ');

type CodesFieldProps = ComponentProps<'textarea'> & { reward: Reward | null; onRemoved: () => void; error?: string };

/** Adds codes, and removes unassigned ones. */
function CodesField({ reward, onRemoved, error, ...field }: CodesFieldProps) {
  const remove = useRemoveRewardCodes();
  const [isAsking, setIsAsking] = useState(false);
  const left = reward?.delivery === 'code' ? (reward.stock_quantity ?? 0) : 0;
  return (
    <div className="grid justify-items-start gap-2">
      <Field
        label="Add codes"
        hint="One per line, up to 1,000 at a time. They are stored encrypted and cannot be read here again."
        error={error}
        className="w-full"
      >
        <Textarea rows={4} autoComplete="off" spellCheck={false} className="font-mono" {...field} />
      </Field>
      {reward && left > 0 && (
        <Button variant="ghost-danger" onClick={() => setIsAsking(true)}>
          Remove the {formatCount(left, 'unused code')}
        </Button>
      )}
      <ConfirmDialog
        isOpen={isAsking}
        onOpenChange={setIsAsking}
        title={`Remove the unused codes of “${reward?.title}”?`}
        consequence="They are gone for good, and the reward is out of stock. Codes that members have stay theirs."
        confirmLabel="Remove codes"
        onConfirm={async () => {
          if (!reward) return;
          const removed = await remove.mutateAsync(reward.id);
          onRemoved();
          toast.success(`${formatCount(removed, 'code')} removed`);
        }}
      />
    </div>
  );
}

/** The file, once it is known that browsers can show it: the bucket believes the type that a file is sent with. */
async function readRewardImage(file: File): Promise<File> {
  const refusal = rewardImageProblem(file);
  if (refusal) throw notAPicture(refusal);
  try {
    (await createImageBitmap(file)).close();
  } catch {
    throw notAPicture();
  }
  return file;
}
