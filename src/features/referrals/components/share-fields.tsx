import { CopyButton } from '@/components/copy-button';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import { shareOnXUrl } from '../referral-link';

function CopyField({ label, value, copyLabel }: { label: string; value: string; copyLabel: string }) {
  return (
    <Field label={label}>
      <div className="flex gap-2">
        <Input readOnly value={value} onFocus={(event) => event.currentTarget.select()} className="min-w-0 grow" />
        <CopyButton text={value} label={copyLabel} className="shrink-0" />
      </div>
    </Field>
  );
}

/** Code and link, to be read and copied only, and X (REF-01, REF-02). */
export function ShareFields({ code, link }: { code: string; link: string }) {
  return (
    <div className="grid content-start gap-4">
      <CopyField label="Your code" value={code} copyLabel="Copy code" />
      <CopyField label="Your link" value={link} copyLabel="Copy link" />
      <Button asChild className="justify-self-start max-sm:w-full">
        <a href={shareOnXUrl(link)} target="_blank" rel="noopener">
          <svg aria-hidden="true" viewBox="0 0 24 24" fill="currentColor">
            <path d="M17.7 3h3.1l-6.8 7.7L22 21h-6.2l-4.9-6.4L5.3 21H2.2l7.2-8.3L1.8 3h6.4l4.4 5.9zm-1.1 16.2h1.7L7.3 4.7H5.5z" />
          </svg>
          Share on X
        </a>
      </Button>
    </div>
  );
}
