import { buttonClass } from '@/components/ui/button';
import { VisuallyHidden } from '@/components/ui/visually-hidden';

/** The product's accounts; change them here when they move. The marks are drawn by hand: no brand icon library. */
const accounts = [
  { label: 'X', href: 'https://x.com/questboard', path: 'M4 4l16 16M20 4 4 20' },
  {
    label: 'LinkedIn',
    href: 'https://www.linkedin.com/company/questboard',
    path: 'M6 10v9M6 5.500v.01M11 19v-9M11 14c0-5 7-5.500 7 0v5',
  },
  {
    label: 'Discord',
    href: 'https://discord.gg/questboard',
    path: 'M8 7c3-1.300 5-1.300 8 0 2 3 3 6 3 9-1.500 1.300-3 2-4 2l-1-2h-4l-1 2c-1 0-2.500-.7-4-2 0-3 1-6 3-9zM9.500 12.500v.01M14.500 12.500v.01',
  },
];

/** HEAD-10. */
export function SocialLinks() {
  return (
    <ul className="flex gap-1">
      {accounts.map(({ label, href, path }) => (
        <li key={label}>
          <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClass('ghost', 'icon')}>
            <svg
              aria-hidden="true"
              viewBox="0 0 24 24"
              fill="none"
              stroke="currentColor"
              strokeWidth="2"
              strokeLinecap="round"
              strokeLinejoin="round"
            >
              <path d={path} />
            </svg>
            <VisuallyHidden>Questboard on {label}</VisuallyHidden>
          </a>
        </li>
      ))}
    </ul>
  );
}
