import { ImageUp, X } from 'lucide-react';
import { type ChangeEvent, useEffect, useId, useRef, useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { acceptedImageTypes, rewardImageProblem } from './mutations';

type ImageFieldProps = {
  image: File | null;
  imageUrl: string | null;
  onChoose: (image: File) => void;
  onRemove: () => void;
};

/** A reward's picture: shows the chosen or the stored one. */
export function ImageField({ image, imageUrl, onChoose, onRemove }: ImageFieldProps) {
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
