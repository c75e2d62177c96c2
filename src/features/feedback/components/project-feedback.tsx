import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { useAlert } from '@/components/alert-dialogs';
import { EmptyState } from '@/components/empty-state';
import { Form, SubmitButton } from '@/components/form';
import { QueryView } from '@/components/query-view';
import { ShowMore } from '@/components/show-more';
import { StarRating, Stars } from '@/components/star-rating';
import { takeLostFocus } from '@/components/take-focus';
import { Badge } from '@/components/ui/badge';
import { Button } from '@/components/ui/button';
import { Card } from '@/components/ui/card';
import { Field, Textarea } from '@/components/ui/field';
import { Meter } from '@/components/ui/progress';
import { Skeleton } from '@/components/ui/skeleton';
import { toast } from '@/components/ui/toast';
import { useUnsavedChanges } from '@/components/unsaved-changes';
import { projectQueries } from '@/features/projects';
import { useSession } from '@/lib/auth';
import { isAuthConfigured } from '@/lib/env';
import { describeError } from '@/lib/errors';
import { formatCount, formatDate, formatNumber } from '@/lib/format';
import { paths } from '@/lib/paths';
import * as databaseSentences from '@/types/database-errors';
import { useSaveReview } from '../mutations';
import { type FeedbackStats, feedbackQueries, noFeedbackStats, type ProjectFeedbackEntry } from '../queries';
import { isCompleteReview, ratingCaptions, reviewMaxLength } from '../schema';

/**
 * Feedback on a project: average and distribution, the member's own rating, the reviews (FEED-06..09). A part that
 * fails to load is shown as failed (TRUST-14).
 */
export function ProjectFeedback({ projectId }: { projectId: string }) {
  const stats = useQuery(feedbackQueries.projectStats(projectId));
  const titleId = useId();

  return (
    <section aria-labelledby={titleId} className="grid gap-5">
      <h2 id={titleId} className="text-2xl">
        Feedback
      </h2>
      <div className="grid items-start gap-5 lg:grid-cols-[20rem_1fr]">
        <div className="grid gap-3">
          <RatingSummary stats={stats.data ?? noFeedbackStats} isLoading={stats.isPending} />
          <QueryView query={stats} failure="The ratings could not be loaded" pending={null}>
            {() => null}
          </QueryView>
        </div>
        <div className="grid gap-5">
          <ReviewPanel key={projectId} projectId={projectId} />
          <ReviewList projectId={projectId} />
        </div>
      </div>
    </section>
  );
}

const stars = ['5', '4', '3', '2', '1'] as const;

/** The average large, and how the ratings spread as bars (FEED-09). */
function RatingSummary({ stats, isLoading }: { stats: FeedbackStats; isLoading: boolean }) {
  const { averageRating, totalReviews, ratingDistribution } = stats;
  return (
    <Card aria-busy={isLoading} className="grid gap-4">
      <div className="flex items-center gap-4">
        {isLoading ? (
          <Skeleton className="h-12 w-16" />
        ) : (
          <p className="font-bold font-display text-5xl leading-none tabular-nums">{averageRating.toFixed(1)}</p>
        )}
        <div className="grid">
          <Stars value={averageRating} />
          <p className="text-muted text-sm">{isLoading ? 'Loading ratings' : formatCount(totalReviews, 'review')}</p>
        </div>
      </div>
      <ul className="grid gap-2">
        {stars.map((star) => {
          const count = ratingDistribution[star];
          const label = formatCount(Number(star), 'star');
          return (
            <li key={star} className="grid grid-cols-[3.5rem_1fr_3rem] items-center gap-2 text-sm">
              <span aria-hidden="true">{label}</span>
              <Meter
                label={label}
                value={count}
                max={Math.max(totalReviews, 1)}
                valueText={formatCount(count, 'review')}
                tone="points"
              />
              <span aria-hidden="true" className="text-right text-muted tabular-nums">
                {formatNumber(count)}
              </span>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/**
 * Form to rate the project or change the rating; visitors are asked to sign in, owners cannot rate their own project.
 */
function ReviewPanel({ projectId }: { projectId: string }) {
  const { status, userId } = useSession();
  const { pathname } = useLocation();
  const ownProject = useQuery({ ...projectQueries.own(userId ?? ''), enabled: userId !== null });
  const own = useQuery({ ...feedbackQueries.own(projectId, userId ?? ''), enabled: userId !== null });
  // Null until it has been opened once: its button takes no focus on arrival.
  const [isOpen, setIsOpen] = useState<boolean | null>(null);

  if (status === 'signed-out') {
    return isAuthConfigured() ? (
      <Card className="flex flex-wrap items-center justify-between gap-3">
        <p>Have you tried it? Members can rate projects.</p>
        <Button variant="secondary" asChild>
          <Link to={paths.signIn({ redirect: pathname })}>Sign in to rate</Link>
        </Button>
      </Card>
    ) : null;
  }
  if (ownProject.data?.id === projectId) return null;
  return (
    <QueryView
      query={[own, ownProject]}
      failure="Your own rating could not be loaded"
      pending={<Skeleton shape="card" className="h-21" />}
    >
      {([review]) =>
        isOpen ? (
          <ReviewForm projectId={projectId} own={review} onClose={() => setIsOpen(false)} />
        ) : (
          <Card className="flex flex-wrap items-center justify-between gap-3">
            <p>{review ? 'You have rated this project.' : 'Have you tried it? Tell others how it was.'}</p>
            <Button ref={isOpen === false ? takeLostFocus : null} variant="secondary" onClick={() => setIsOpen(true)}>
              {review ? 'Update your feedback' : 'Leave feedback'}
            </Button>
          </Card>
        )
      }
    </QueryView>
  );
}

type ReviewFormProps = {
  projectId: string;
  /** The member's earlier review, to be edited. */
  own: ProjectFeedbackEntry | null;
  onClose: () => void;
};

/** Stars and a text, both required; prefilled with an earlier review (FEED-06..08). */
function ReviewForm({ projectId, own, onClose }: ReviewFormProps) {
  const alert = useAlert();
  const save = useSaveReview(projectId);
  // As the form was opened: another tab may save a review meanwhile.
  const [opened] = useState({ rating: own?.rating ?? 0, text: own?.feedback_text ?? '' });
  const [rating, setRating] = useState(opened.rating);
  const [text, setText] = useState(opened.text);
  const isComplete = isCompleteReview({ rating, text });
  // The page is full of links to quests, and a press on one must not lose what was written.
  const unsaved = useUnsavedChanges(rating !== opened.rating || text !== opened.text);

  const handleSubmit = async () => {
    if (!projectId) return alert(databaseSentences.PROJECT_NOT_FOUND);
    if (!isComplete) return alert(databaseSentences.FEEDBACK_INCOMPLETE);
    try {
      await save.mutateAsync({ id: own?.id ?? null, rating, text });
    } catch (error) {
      return alert(describeError(error));
    }
    toast.success('Thank you for your feedback! It has been submitted.');
    onClose();
  };

  return (
    <Card>
      {unsaved.dialog}
      <Form
        ref={takeLostFocus}
        tabIndex={-1}
        onSubmit={handleSubmit}
        aria-label="Rate this project"
        className="grid gap-5 outline-none"
      >
        <StarRating label="Your rating" value={rating} onChange={setRating} captions={ratingCaptions} />
        <Field label="Your feedback" isRequired aside={`${text.length} / ${reviewMaxLength}`}>
          <Textarea value={text} maxLength={reviewMaxLength} onChange={(event) => setText(event.target.value)} />
        </Field>
        <div className="flex flex-wrap gap-3">
          <SubmitButton isSubmitting={save.isPending} disabled={!isComplete}>
            {own ? 'Update feedback' : 'Submit feedback'}
          </SubmitButton>
          <Button variant="ghost" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </Form>
    </Card>
  );
}

/** The reviews, newest first, without names; the member's own review is marked. */
function ReviewList({ projectId }: { projectId: string }) {
  const { userId } = useSession();
  const reviews = useInfiniteQuery(feedbackQueries.project(projectId));
  const own = useQuery({ ...feedbackQueries.own(projectId, userId ?? ''), enabled: userId !== null });
  return (
    <QueryView query={reviews} failure="The reviews could not be loaded" pending={<ReviewSkeletons />}>
      {({ pages }) => {
        const entries = pages.flat();
        if (entries.length === 0) {
          return (
            <EmptyState
              level={3}
              title="No feedback yet"
              text="Tried it? A line from you helps the people behind it."
            />
          );
        }
        return (
          <>
            <ul className="grid gap-3">
              {entries.map((entry) => (
                <Review key={entry.id} entry={entry} isOwn={entry.id === own.data?.id} />
              ))}
            </ul>
            <ShowMore list={reviews}>Show more reviews</ShowMore>
          </>
        );
      }}
    </QueryView>
  );
}

function Review({ entry, isOwn }: { entry: ProjectFeedbackEntry; isOwn: boolean }) {
  return (
    <Card as="li" className="grid gap-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Stars value={entry.rating} />
        <time dateTime={entry.created_at} className="text-muted text-sm">
          {formatDate(entry.created_at)}
        </time>
        {isOwn && <Badge tone="action">Your review</Badge>}
      </div>
      <p className="dir-auto whitespace-pre-line [overflow-wrap:anywhere]">{entry.feedback_text}</p>
    </Card>
  );
}

function ReviewSkeletons() {
  return (
    <ul aria-busy="true" aria-label="Loading reviews" className="grid gap-3">
      {['a', 'b', 'c'].map((key) => (
        <Card as="li" key={key} className="grid gap-3">
          <Skeleton className="h-4 w-40" />
          <Skeleton />
        </Card>
      ))}
    </ul>
  );
}
