import { Bookmark, BookmarkCheck } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { useMemberSwitch } from '@/components/use-member-switch';
import { useSaveQuest } from '../mutations';

type SaveQuestButtonProps = {
  quest: { id: string; title: string };
  /** Whether it is among useSavedQuestIds, which a list reads once for all. */
  isStored: boolean;
  /** Icon only; the accessible name identifies the quest. */
  isCompact?: boolean;
};

/** Saves a quest for later, or removes it (BEY-18). Visitors are sent to sign in and back. */
export function SaveQuestButton({ quest: { id, title }, isStored, isCompact = false }: SaveQuestButtonProps) {
  const { isOn, handlePress, isDisabled } = useMemberSwitch('save-quest', id, isStored, useSaveQuest());
  return (
    <Button
      variant="ghost"
      size={isCompact ? 'icon' : 'md'}
      className="shrink-0 aria-pressed:text-action"
      aria-label={isCompact ? `Save ${title}` : undefined}
      aria-pressed={isOn}
      disabled={isDisabled}
      onClick={handlePress}
    >
      {isOn ? <BookmarkCheck aria-hidden="true" /> : <Bookmark aria-hidden="true" />}
      {!isCompact && (isOn ? 'Saved' : 'Save quest')}
    </Button>
  );
}
