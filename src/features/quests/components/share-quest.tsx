import { Share2 } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { CopyButton } from '@/components/copy-button';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import type { OwnQuest } from '../quest';

/** Router state from the form to the dashboard: the quest just published. */
export type PublishedState = { publishedQuestId: string };

/** Shown after publishing: the quest's URL, to copy and share (BEY-07). Nothing without one. */
export function JustPublished({ quests }: { quests: readonly OwnQuest[] }) {
  const state = useLocation().state as Partial<PublishedState> | null;
  const quest = quests.find(({ id, status }) => id === state?.publishedQuestId && status === 'published');
  if (!quest) return null;
  const url = window.location.origin + paths.publicQuest(quest.id);
  return (
    <Notice
      tone="success"
      title={`Tell people about “${quest.title}”`}
      actions={
        <>
          <CopyButton text={url} label="Copy link" />
          <ShareButton title={quest.title} url={url} />
        </>
      }
    >
      <span className="[overflow-wrap:anywhere]">{url}</span>
    </Notice>
  );
}

/** Opens the native share sheet, if there is one. */
function ShareButton({ title, url }: { title: string; url: string }) {
  if (!('share' in navigator)) return null;
  // Dismissing the share sheet rejects; that is not an error.
  const handleShare = () => navigator.share({ title, url }).catch(() => undefined);
  return (
    <Button onClick={handleShare}>
      <Share2 aria-hidden="true" />
      Share
    </Button>
  );
}
