import { Coins, Rocket, Users } from 'lucide-react';
import { Link } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';

const steps = [
  { icon: Rocket, title: 'Say who you are', text: 'A name, an industry, a logo. Two minutes.' },
  { icon: Coins, title: 'Publish a quest', text: 'Pick a template. Your first 500 points are on us.' },
  { icon: Users, title: 'Watch people come', text: 'Members try, follow, review, and prove it.' },
] as const;

/** What a founder without a profile sees (SDASH-01). */
export function StartupPitch() {
  return (
    <section className="board-grain rounded-card border px-4 py-10 sm:px-10 sm:py-14">
      <div className="grid max-w-3xl gap-6">
        <h1 className="text-4xl sm:text-5xl">Get Your First 10 Users This Week</h1>
        <p className="max-w-prose text-lg text-muted">
          Put a quest on the board. Members try your product for points and show you what they did.
        </p>
        <div className="flex flex-col gap-3 sm:flex-row">
          <Button asChild>
            <Link to={paths.startupProfile}>Create Your Startup Profile</Link>
          </Button>
          <Button variant="secondary" asChild>
            <Link to={paths.subscribe('og_lifetime')}>Upgrade to OG Lifetime</Link>
          </Button>
        </div>
      </div>
      <ol className="mt-10 grid gap-4 sm:grid-cols-3">
        {steps.map(({ icon: Icon, title, text }, index) => (
          <li key={title} className="grid gap-1 rounded-card border bg-card p-4 shadow-card">
            <Icon aria-hidden="true" className="mb-1 size-6 text-action" />
            <h2 className="text-lg">
              {index + 1}. {title}
            </h2>
            <p className="text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
