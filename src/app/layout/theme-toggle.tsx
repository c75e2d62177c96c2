import { type LucideIcon, Monitor, Moon, Sun } from 'lucide-react';
import { setTheme, type Theme, themeOptions, useTheme } from '@/lib/theme';

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
