import { useQuery } from '@tanstack/react-query';
import { Badge } from '@/components/ui/badge';
import { Meter } from '@/components/ui/progress';
import { formatNumber } from '@/lib/format';
import { Detail, DetailList } from '../components/detail-list';
import { Loaded } from '../components/loaded';
import { Section } from '../components/section';
import { healthTone, healthWords } from './health-tone';
import { adminReferralQueries } from './queries';

/** How much of the referral system is in order (ADMIN-10). */
export function ReferralHealthCard() {
  const health = useQuery(adminReferralQueries.health());
  return (
    <Section title="System Health">
      <Loaded query={health} failure="The referral health could not be loaded">
        {({ health_score: score, users_without_codes, failed_referrals }) => {
          const tone = healthTone(score);
          return (
            <>
              <div className="grid gap-2">
                <div className="flex items-center justify-between gap-3">
                  <span className="font-bold font-display text-2xl tabular-nums">{score}%</span>
                  <Badge tone={tone}>{healthWords[tone]}</Badge>
                </div>
                <Meter label="Health score" value={score} tone={tone} />
              </div>
              <DetailList>
                <Detail label="Users without codes">{formatNumber(users_without_codes)}</Detail>
                <Detail label="Failed referrals">{formatNumber(failed_referrals)}</Detail>
              </DetailList>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}
