import { ImageUp, X } from 'lucide-react';
import { type ChangeEvent, useId, useRef } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { acceptedLogoTypes } from '../logo-file';
import type { useLogo } from '../use-logo';
import { CropDialog } from './crop-dialog';
import { StartupLogo } from './startup-logo';

type LogoFieldProps = {
  upload: ReturnType<typeof useLogo>;
  name: string;
  /** The logo that is stored or linked, shown until another is chosen. */
  currentUrl: string;
};

/** Chooses a logo file and shows what it will look like (SPROF-04). */
export function LogoField({ upload, name, currentUrl }: LogoFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  const handleChange = (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    // So that the same file can be chosen again after cancelling.
    event.target.value = '';
    if (file) upload.choose(file);
  };

  return (
    <div className="grid gap-2">
      <label htmlFor={id} className="font-semibold text-[0.95rem]">
        Logo
      </label>
      <div className="flex items-center gap-4">
        <StartupLogo
          key={upload.previewUrl ?? currentUrl}
          name={name || '?'}
          logoUrl={upload.previewUrl ?? (currentUrl || null)}
          className="size-20 text-2xl"
        />
        <div className="grid gap-1">
          <div className="flex flex-wrap gap-2">
            <Button variant="secondary" onClick={() => input.current?.click()}>
              <ImageUp aria-hidden="true" />
              {upload.logo ? 'Choose another' : 'Upload logo'}
            </Button>
            {upload.logo && (
              <Button variant="ghost" onClick={upload.remove}>
                <X aria-hidden="true" />
                Remove
              </Button>
            )}
          </div>
          <p id={`${id}-hint`} className="text-muted text-sm">
            PNG, JPG, WebP or SVG, max 5MB
          </p>
        </div>
      </div>
      <input
        ref={input}
        id={id}
        type="file"
        accept={acceptedLogoTypes.join(',')}
        aria-describedby={`${id}-hint`}
        tabIndex={-1}
        className="sr-only"
        onChange={handleChange}
      />
      {upload.problem && <FieldError>{upload.problem}</FieldError>}
      {upload.image && <CropDialog image={upload.image} onDone={upload.finish} onCancel={upload.cancel} />}
    </div>
  );
}
