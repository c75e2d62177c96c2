import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { lazyOverlay } from '@/components/lazy-overlay';
import { setTheme, type Theme, themeOptions, useTheme } from '@/lib/theme';
import { type LegalText, legalTexts } from '../legal/legal';
import type { LegalDialogProps } from '../legal/legal-dialog';

const icons: Record<Theme, LucideIcon> = { light: Sun, dark: Moon, system: Monitor };

/** Light, dark or system theme, stored in this browser. */
export function ThemeToggle() {
  const theme = useTheme();
  return (
    <fieldset className="inline-flex rounded-control border border-field bg-card p-0.5">
      <legend className="sr-only">Theme</legend>
      {themeOptions.map(({ value, label }) => {
        const Icon = icons[value];
        return (
          <button
            key={value}
            type="button"
            aria-label={label}
            title={label}
            aria-pressed={value === theme}
            onClick={() => setTheme(value)}
            className="grid size-11 place-items-center rounded-[0.4rem] text-muted hover:text-ink aria-pressed:bg-action-soft aria-pressed:text-action"
          >
            <Icon aria-hidden="true" className="size-4" />
          </button>
        );
      })}
    </fieldset>
  );
}

const LegalDialog = lazyOverlay<LegalDialogProps>(() => import('../legal/legal-dialog'));

const texts = Object.keys(legalTexts) as LegalText[];

/** Opens the privacy, terms and cookie policy dialogs (HEAD-10). Their texts are lazy-loaded. */
export function LegalLinks({ className }: { className?: string }) {
  const [open, setOpen] = useState<LegalText | null>(null);
  return (
    <>
      <ul className={className}>
        {texts.map((text) => (
          <li key={text}>
            <button
              type="button"
              aria-haspopup="dialog"
              onClick={() => setOpen(text)}
              className="inline-flex min-h-11 items-center hover:text-action hover:underline hover:underline-offset-4"
            >
              {legalTexts[text].title}
            </button>
          </li>
        ))}
      </ul>
      {open && <LegalDialog isOpen onOpenChange={() => setOpen(null)} text={open} />}
    </>
  );
}
