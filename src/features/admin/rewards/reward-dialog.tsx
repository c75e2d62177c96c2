import { ImageUp, X } from 'lucide-react';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
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
import { acceptedImageTypes, rewardImageProblem, useSaveReward } from './mutations';
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

type ImageFieldProps = {
  image: File | null;
  imageUrl: string | null;
  onChoose: (image: File) => void;
  onRemove: () => void;
};

/** A reward's picture: shows the chosen or the stored one. */
function ImageField({ image, imageUrl, onChoose, onRemove }: ImageFieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [preview, setPreview] = useState<string | null>(null);

  useEffect(() => {
    if (!image) return setPreview(null);
    const url = URL.createObjectURL(image);
    setPreview(url);
    return () => URL.revokeObjectURL(url);
  }, [image]);

  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    event.target.value = '';
    if (!file) return;
    const found = rewardImageProblem(file);
    setProblem(found);
    if (!found) onChoose(file);
  };
  const shown = preview ?? imageUrl;

  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="font-semibold text-[0.95rem]">
        Picture
      </label>
      {shown && <img src={shown} alt="" className="aspect-16/9 w-full max-w-64 rounded-control border object-cover" />}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" onClick={() => input.current?.click()}>
          <ImageUp aria-hidden="true" />
          {shown ? 'Choose another' : 'Upload picture'}
        </Button>
        {shown && (
          <Button variant="ghost" onClick={onRemove}>
            <X aria-hidden="true" />
            Remove
          </Button>
        )}
      </div>
      <p id={`${id}-hint`} className="text-muted text-sm">
        PNG, JPG or WebP, max 5MB. Shown 16 to 9.
      </p>
      <input
        ref={input}
        id={id}
        type="file"
        accept={acceptedImageTypes.join(',')}
        aria-describedby={`${id}-hint`}
        tabIndex={-1}
        className="sr-only"
        onChange={handleChange}
      />
      {problem && <FieldError>{problem}</FieldError>}
    </div>
  );
}
