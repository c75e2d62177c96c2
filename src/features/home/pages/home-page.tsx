import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { PageMeta } from '@/components/page-meta';
import { useReferralCapture } from '@/features/referrals';
import { Features } from '../components/features';
import { Hero } from '../components/hero';
import { HowItWorks } from '../components/how-it-works';
import { LiveQuests } from '../components/live-quests';
import { Pricing } from '../components/pricing';
import { ReferralSection } from '../components/referral-section';

/** Links to a section ('/#pricing') arrive before this lazily loaded page has one to scroll to. */
function useScrollToSection() {
  const { hash } = useLocation();
  useEffect(() => {
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, [hash]);
}

/** The front of the board (HOME-01..10). */
export default function HomePage() {
  useReferralCapture();
  useScrollToSection();
  return (
    <>
      <PageMeta description="Complete small quests for new products, prove them, and earn points that become rewards or cash after launch." />
      <Hero />
      <LiveQuests />
      <HowItWorks />
      <Features />
      <Pricing />
      <ReferralSection />
    </>
  );
}
