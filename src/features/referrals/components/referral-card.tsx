import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { Gift, Mail, MessageCircle, QrCode, RefreshCw, Send, Share2, UserRoundPlus } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { CopyButton } from '@/components/copy-button';
import { lazyOverlay } from '@/components/lazy-overlay';
import { CoinMark, Points } from '@/components/points';
import { QueryView } from '@/components/query-view';
import { figureClass } from '@/components/stat-cards';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field, Input } from '@/components/ui/field';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { accountQueries } from '@/features/account';
import { settingsQueries } from '@/features/settings';
import { getEnv } from '@/lib/env';
import { describeError } from '@/lib/errors';
import { formatNumber, formatPoints } from '@/lib/format';
import { paths } from '@/lib/paths';
import * as databaseSentences from '@/types/database-errors';
import { useCreateReferralCode } from '../code-mutations';
import { referralQueries, type ReferralStats as Stats } from '../queries';
import { referralLink } from '../referral-link';
import type { QrDialogProps } from './qr-dialog-content';

/** A referral link as a code to scan. */
const QrDialog = lazyOverlay<QrDialogProps>(() => import('./qr-dialog-content'));

function MissingCode() {
  const { mutateAsync: createCode, isPending } = useCreateReferralCode();
  return (
    <div className="grid content-start justify-items-start gap-3">
      <p>You have no referral code yet.</p>
      <Button
        isLoading={isPending}
        onClick={() =>
          createCode().catch((error) =>
            toast.error(describeError(error, { fallback: databaseSentences.REFERRAL_CODE_FAILED })),
          )
        }
      >
        Get my code
      </Button>
    </div>
  );
}

/**
 * The first sync after signing up creates the code together with the profile, perhaps after the stats were read. Not an entry in
 * lib/stale-queries.ts, which would read them twice on every visit.
 */
function useRefetchOnceSynced(userId: string, { data, refetch }: UseQueryResult<Stats>) {
  const { data: profile } = useQuery({ ...accountQueries.profile(userId), enabled: false });
  const isBehind = Boolean(profile) && data?.code === null;
  useEffect(() => {
    if (isBehind) void refetch();
  }, [isBehind, refetch]);
}

type ReferralCardProps = { userId: string; hasRefresh?: boolean };

/** A member's code, link and results; the same on the dashboard and on the referral page (REF-01..03). */
export function ReferralCard({ userId, hasRefresh = false }: ReferralCardProps) {
  const stats = useQuery(referralQueries.stats(userId));
  useRefetchOnceSynced(userId, stats);
  const { data: settings } = useQuery(settingsQueries.app());
  const bonus = { referrer: settings?.referrer_points ?? 500, referred: settings?.referred_points ?? 250 };
  const siteUrl = getEnv().VITE_SITE_URL ?? window.location.origin;

  return (
    <Card as="section" aria-labelledby="refer-title" className="grid gap-6" id="refer">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="refer-title" className="text-2xl">
          Refer friends
        </h2>
        {hasRefresh && (
          <Button variant="secondary" isLoading={stats.isFetching} onClick={() => void stats.refetch()}>
            <RefreshCw aria-hidden="true" />
            Refresh Stats
          </Button>
        )}
      </div>
      <QueryView
        query={stats}
        failure="Your referrals could not be loaded"
        pending={<ReferralStats stats={undefined} />}
        showsRefreshError
      >
        {(figures) => <ReferralStats stats={figures} />}
      </QueryView>
      <div className="grid gap-8 md:grid-cols-2">
        <ReferralSteps bonus={bonus} />
        {stats.isPending && <Skeleton className="h-58" />}
        {stats.data?.code && <ShareFields code={stats.data.code} link={referralLink(stats.data.code, siteUrl)} />}
        {stats.data && !stats.data.code && <MissingCode />}
      </div>
    </Card>
  );
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-0.5 rounded-control bg-sunken px-4 py-3 last:max-sm:col-span-full">
      <dt className="text-muted text-sm">{label}</dt>
      <dd className={figureClass}>{children}</dd>
    </div>
  );
}

/** Clicks, successful referrals and points earned (REF-01); places for them while they load. */
function ReferralStats({ stats }: { stats: Stats | undefined }) {
  const place = <Skeleton className="h-6 w-16" />;
  return (
    <div className="grid gap-3">
      <dl aria-busy={!stats} className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        <Figure label="Clicks">{stats ? formatNumber(stats.clicks) : place}</Figure>
        <Figure label="Successful referrals">{stats ? formatNumber(stats.successfulReferrals) : place}</Figure>
        <Figure label="Total points earned">
          {stats ? <Points value={stats.pointsEarned} /> : place}
          {stats?.pointsHeld ? (
            <span className="ml-2 font-normal font-sans text-muted text-sm">{formatPoints(stats.pointsHeld)} held</span>
          ) : null}
        </Figure>
      </dl>
      {stats?.pointsHeld ? (
        <p className="text-muted text-sm">
          Held points are yours, and can be redeemed once they are released.{' '}
          <Link to={`${paths.rewards}#held-points`} className="text-action underline underline-offset-4">
            When is that?
          </Link>
        </p>
      ) : null}
    </div>
  );
}

type Bonus = { referrer: number; referred: number };

/** What each side earns, and how it works in three steps (REF-01). An admin can set either side, or both, to nothing. */
function ReferralSteps({ bonus: { referrer, referred } }: { bonus: Bonus }) {
  const earnings = [
    referrer > 0 && `You earn ${formatPoints(referrer)}`,
    referred > 0 && `They earn ${formatPoints(referred)}`,
  ].filter(Boolean);
  const who = earnings.length > 1 ? 'You both' : referrer > 0 ? 'You' : 'They';
  const steps = [
    { icon: Share2, text: 'Share your link with someone who likes to try new things.' },
    { icon: UserRoundPlus, text: 'They open it and sign up, or enter your code here on the day they join.' },
    { icon: Gift, text: `${who} get points at once, to redeem after their first approved task.` },
  ].slice(0, earnings.length > 0 ? 3 : 2);
  return (
    <div className="grid content-start gap-4">
      {earnings.length > 0 && (
        <p className="flex flex-wrap items-center gap-x-2 font-bold font-display text-xl">
          <CoinMark />
          {earnings.join(' / ')}
        </p>
      )}
      <ol className="grid gap-3" aria-label="How it works">
        {steps.map(({ icon: Icon, text }, index) => (
          <li key={text} className="flex items-start gap-3">
            <span
              aria-hidden="true"
              className="grid size-9 shrink-0 place-items-center rounded-full bg-action-soft font-bold font-display text-action"
            >
              {index + 1}
            </span>
            <span className="grow pt-1.5">{text}</span>
            <Icon aria-hidden="true" className="mt-2 size-5 shrink-0 text-muted max-sm:hidden" />
          </li>
        ))}
      </ol>
    </div>
  );
}

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

/** Code and link, to be read and copied only, and the ways to share the link (REF-01, REF-02). */
function ShareFields({ code, link }: { code: string; link: string }) {
  return (
    <div className="grid content-start gap-4">
      <CopyField label="Your code" value={code} copyLabel="Copy code" />
      <CopyField label="Your link" value={link} copyLabel="Copy link" />
      <ShareButtons link={link} />
    </div>
  );
}

/** The invitation's text, shared along with the link. */
const invitation = 'Complete quests for new projects and earn points. Join me on Questboard:';

function withParams(address: string, params: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
  return url.href;
}

/** X's page for writing a post, filled in with the link (REF-01). */
export function shareOnXUrl(link: string): string {
  return withParams('https://x.com/intent/post', { text: invitation, url: link });
}

/** The messengers' pages and the mail program, each filled in with invitation and link. */
export function messengers(link: string) {
  const mail = new URLSearchParams({ subject: 'Join me on Questboard', body: `${invitation} ${link}` });
  return [
    { name: 'WhatsApp', icon: MessageCircle, href: withParams('https://wa.me/', { text: `${invitation} ${link}` }) },
    { name: 'Telegram', icon: Send, href: withParams('https://t.me/share/url', { url: link, text: invitation }) },
    // Mail programs read a plus as a plus.
    { name: 'Email', icon: Mail, href: `mailto:?${mail.toString().replaceAll('+', '%20')}` },
  ];
}

/** The device's own share sheet where it has one, X, messengers, and a code to scan. */
function ShareButtons({ link }: { link: string }) {
  const [isScanning, setIsScanning] = useState(false);
  // Few desktop browsers have a share sheet; then its button is not there.
  const canShare = typeof navigator.share === 'function';
  const handleShare = async () => {
    try {
      await navigator.share({ title: 'Questboard', text: invitation, url: link });
    } catch (error) {
      // Closing the sheet is not a failure; if it cannot be opened, the other buttons are there.
      if (!(error instanceof DOMException)) throw error;
    }
  };
  return (
    <div className="grid gap-3">
      {canShare && (
        <Button onClick={handleShare}>
          <Share2 aria-hidden="true" />
          Share your link
        </Button>
      )}
      <div className="grid grid-cols-2 gap-3">
        <Button variant={canShare ? 'secondary' : 'primary'} className="col-span-2" asChild>
          <a href={shareOnXUrl(link)} target="_blank" rel="noopener">
            <svg aria-hidden="true" viewBox="0 0 24 24" fill="currentColor">
              <path d="M17.7 3h3.1l-6.8 7.7L22 21h-6.2l-4.9-6.4L5.3 21H2.2l7.2-8.3L1.8 3h6.4l4.4 5.9zm-1.1 16.2h1.7L7.3 4.7H5.5z" />
            </svg>
            Share on X
          </a>
        </Button>
        {messengers(link).map(({ name, icon: Icon, href }) => (
          <Button key={name} variant="secondary" asChild>
            <a href={href} target="_blank" rel="noopener">
              <Icon aria-hidden="true" />
              {name}
            </a>
          </Button>
        ))}
        <Button variant="secondary" onClick={() => setIsScanning(true)}>
          <QrCode aria-hidden="true" />
          QR code
        </Button>
      </div>
      <QrDialog link={link} isOpen={isScanning} onOpenChange={setIsScanning} />
    </div>
  );
}
