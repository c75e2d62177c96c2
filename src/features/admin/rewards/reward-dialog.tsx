import { useState } from 'react';
import { Form, SubmitButton, useZodForm } from '@/components/form';
import { Button } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Dialog, DialogActions } from '@/components/ui/dialog';
import { Field, FieldError } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { Textarea } from '@/components/ui/textarea';
import { toast } from '@/components/ui/toast';
import type { Reward } from '@/features/rewards';
import { errorMessage } from '@/lib/errors';
import { ImageField } from './image-field';
import { useSaveReward } from './mutations';
import { rewardForm, rewardSchema } from './schema';

/** Creates a reward, or changes one (C-45). */
export function RewardDialog({ reward, onClose }: { reward: Reward | null; onClose: () => void }) {
  const save = useSaveReward();
  const [image, setImage] = useState<File | null>(null);
  const [imageUrl, setImageUrl] = useState(reward?.image_url ?? null);
  const form = useZodForm(rewardSchema, { defaultValues: rewardForm(reward) });
  const { errors } = form.formState;

  const handleValid = form.handleSubmit(async (values) => {
    try {
      await save.mutateAsync({ reward, form: values, image, imageUrl });
      toast.success(reward ? 'Reward saved' : 'Reward created');
      onClose();
    } catch {
      // The form shows why.
    }
  });

  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={reward ? `Edit “${reward.title}”` : 'New reward'}
    >
      <Form aria-label="Reward" className="grid gap-4" onSubmit={handleValid}>
        <Field label="Title" isRequired error={errors.title?.message}>
          <Input {...form.register('title')} />
        </Field>
        <Field label="Description" error={errors.description?.message}>
          <Textarea rows={3} {...form.register('description')} />
        </Field>
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <Field label="Cost in points" isRequired error={errors.pointsCost?.message}>
            <Input inputMode="numeric" {...form.register('pointsCost')} />
          </Field>
          <Field label="Stock" hint="Empty: unlimited" error={errors.stock?.message}>
            <Input inputMode="numeric" {...form.register('stock')} />
          </Field>
          <Field label="Worth in US$" hint="Optional" error={errors.cashValue?.message}>
            <Input inputMode="decimal" {...form.register('cashValue')} />
          </Field>
        </div>
        <ImageField
          image={image}
          imageUrl={imageUrl}
          onChoose={setImage}
          onRemove={() => {
            setImage(null);
            setImageUrl(null);
          }}
        />
        <Checkbox
          label="Members can redeem it"
          hint="Inactive rewards are hidden; what was redeemed before stays."
          checked={form.watch('isActive')}
          onCheckedChange={(checked) => form.setValue('isActive', checked === true, { shouldDirty: true })}
        />
        {save.isError && <FieldError>{errorMessage(save.error)}</FieldError>}
        <DialogActions>
          <Button variant="secondary" onClick={onClose}>
            Cancel
          </Button>
          <SubmitButton isSubmitting={save.isPending}>{reward ? 'Save reward' : 'Create reward'}</SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
