import { HeroBoard } from './hero-board';
import { JoinCommunity, StartYourProject } from './home-actions';
import { LiveFigures } from './live-figures';

/** What Questboard is, in one look, with how alive it is (HOME-01..03). */
export function Hero() {
  return (
    <div className="board-grain border-b">
      <div className="page-column grid items-center gap-10 py-9 sm:py-10 lg:grid-cols-[1.1fr_1fr]">
        <div className="grid gap-6">
          <h1 className="text-[2.6rem] sm:text-6xl">Help new products grow. Earn points for it.</h1>
          <p className="max-w-prose text-lg text-muted sm:text-xl">
            Startups pin small quests to the board. You do them, show the proof, and collect points that become rewards
            or cash after launch.
          </p>
          <div className="flex flex-wrap gap-3 max-sm:[&>*]:grow">
            <JoinCommunity place="hero" />
            <StartYourProject place="hero" />
          </div>
          <LiveFigures />
        </div>
        <HeroBoard className="max-lg:hidden" />
      </div>
    </div>
  );
}
