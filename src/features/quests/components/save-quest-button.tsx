import { Bookmark, BookmarkCheck } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { useSession } from '@/lib/auth';
import { describeError } from '@/lib/errors';
import { paths } from '@/lib/paths';
import { useSaveQuest } from '../mutations';
import { useSavedQuestIds } from '../use-own-quest-states';

type SaveQuestButtonProps = {
  quest: { id: string; title: string };
  /** Only the picture; the name says which quest. */
  isCompact?: boolean;
};

/** Saves a quest for later, or forgets it (BEY-18). Visitors are led to sign in and back. */
export function SaveQuestButton({ quest: { id, title }, isCompact = false }: SaveQuestButtonProps) {
  const { status } = useSession();
  const { pathname, search } = useLocation();
  const save = useSaveQuest();
  const stored = useSavedQuestIds().includes(id);
  // What was pressed shows at once.
  const isSaved = save.isPending ? save.variables.isSaved : stored;
  const look = { variant: 'ghost', size: isCompact ? 'icon' : 'md' } as const;
  const name = isCompact ? `Save ${title}` : undefined;

  if (status === 'signed-out') {
    return (
      <Button {...look} asChild className="relative shrink-0">
        <Link to={paths.signIn({ redirect: `${pathname}${search}` })} aria-label={name}>
          <Bookmark aria-hidden="true" />
          {!isCompact && 'Save quest'}
        </Link>
      </Button>
    );
  }
  const handlePress = () => {
    if (save.isPending) return;
    save.mutate({ id, isSaved: !isSaved }, { onError: (error) => toast.error(describeError(error)) });
  };
  return (
    <Button
      {...look}
      className="relative shrink-0 aria-pressed:text-action"
      aria-label={name}
      aria-pressed={isSaved}
      disabled={status !== 'signed-in'}
      onClick={handlePress}
    >
      {isSaved ? <BookmarkCheck aria-hidden="true" /> : <Bookmark aria-hidden="true" />}
      {!isCompact && 'Save quest'}
    </Button>
  );
}
