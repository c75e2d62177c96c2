import { ImageUp, X } from 'lucide-react';
import { type ChangeEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './ui/button';
import { FieldError } from './ui/field';

/** A URL that shows a picture which is not uploaded yet; null without one. */
export function usePreviewUrl(picture: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!picture) return setUrl(null);
    const created = URL.createObjectURL(picture);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [picture]);
  return url;
}

type PictureFieldProps = {
  /** 'Logo'; the button then says 'Upload logo'. */
  label: string;
  hint: string;
  /** Accepted MIME types. */
  types: readonly string[];
  /** The picture as it will be shown, or what is shown without one. */
  preview: ReactNode;
  hasPicture: boolean;
  problem: string | null;
  onChoose: (file: File) => void;
  onRemove: () => void;
};

/** Chooses or removes one picture, with a preview. What is done with the file is up to the form (lib/use-picture-choice.ts). */
export function PictureField(props: PictureFieldProps) {
  const { label, hint, types, preview, hasPicture, problem, onChoose, onRemove } = props;
  const input = useRef<HTMLInputElement>(null);
  const chooser = useRef<HTMLButtonElement>(null);
  const id = useId();

  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // Allows choosing the same file again after cancelling.
    event.target.value = '';
    if (file) onChoose(file);
  };
  const handleRemove = () => {
    onRemove();
    // The button may be gone now.
    chooser.current?.focus();
  };

  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="font-semibold text-[0.95rem]">
        {label}
      </label>
      <div className="flex flex-wrap items-center gap-4">
        {preview}
        <div className="grid min-w-0 flex-1 basis-40 gap-1">
          <div className="flex flex-wrap gap-2">
            <Button ref={chooser} variant="secondary" onClick={() => input.current?.click()}>
              <ImageUp aria-hidden="true" />
              {hasPicture ? 'Choose another' : `Upload ${label.toLowerCase()}`}
            </Button>
            {hasPicture && (
              <Button variant="ghost" onClick={handleRemove}>
                <X aria-hidden="true" />
                Remove
              </Button>
            )}
          </div>
          <p id={`${id}-hint`} className="text-muted text-sm">
            {hint}
          </p>
        </div>
      </div>
      <input
        ref={input}
        id={id}
        type="file"
        accept={types.join(',')}
        aria-describedby={`${id}-hint`}
        tabIndex={-1}
        className="sr-only"
        onChange={handleChange}
      />
      {problem && <FieldError>{problem}</FieldError>}
    </div>
  );
}
