import { type ReactNode, useId } from 'react';

type FormSectionProps = { title: string; text?: ReactNode; children: ReactNode };

/** A part of a long form with its own heading, on a card of its own. */
export function FormSection({ title, text, children }: FormSectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-5 rounded-card border bg-card p-4 shadow-card sm:p-6">
      <header>
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {text && <p className="mt-1 text-muted">{text}</p>}
      </header>
      {children}
    </section>
  );
}
