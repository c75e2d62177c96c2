import { Bookmark, BookmarkCheck } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useSaveQuest } from '../mutations';
import { useSavedQuestIds } from '../use-own-quest-states';

type SaveQuestButtonProps = {
  quest: { id: string; title: string };
  /** Icon only; the accessible name identifies the quest. */
  isCompact?: boolean;
};

/** Saves a quest for later, or removes it (BEY-18). Visitors are sent to sign in and back. */
export function SaveQuestButton({ quest: { id, title }, isCompact = false }: SaveQuestButtonProps) {
  const { status } = useSession();
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const save = useSaveQuest();
  const stored = useSavedQuestIds().includes(id);
  // Optimistic update.
  const isSaved = save.isPending ? save.variables.isSaved : stored;

  const handlePress = () => {
    if (status === 'signed-out') void navigate(paths.signIn({ redirect: `${pathname}${search}` }));
    if (status !== 'signed-in' || save.isPending) return;
    save.mutate({ id, isSaved: !isSaved }, { onError: (error) => toast.error(describeError(error)) });
  };
  return (
    <Button
      variant="ghost"
      size={isCompact ? 'icon' : 'md'}
      className="shrink-0 aria-pressed:text-action"
      aria-label={isCompact ? `Save ${title}` : undefined}
      aria-pressed={isSaved}
      disabled={status === 'loading'}
      onClick={handlePress}
    >
      {isSaved ? <BookmarkCheck aria-hidden="true" /> : <Bookmark aria-hidden="true" />}
      {!isCompact && (isSaved ? 'Saved' : 'Save quest')}
    </Button>
  );
}
