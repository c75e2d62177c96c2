import { Share2 } from 'lucide-react';
import { useLocation } from 'react-router-dom';
import { CopyButton } from '@/components/copy-button';
import { Notice } from '@/components/notice';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import type { OwnQuest } from '../quest';

/** What the form hands to the dashboard: the quest that it has just published. */
export type PublishedState = { publishedQuestId: string };

/** The moment after publishing: the quest's address, to copy and to share (BEY-07). Nothing without one. */
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

/** Opens the device's own way to share, where it has one. */
function ShareButton({ title, url }: { title: string; url: string }) {
  if (!('share' in navigator)) return null;
  // Whoever closes the sheet has decided not to share: nothing to tell.
  const handleShare = () => navigator.share({ title, url }).catch(() => undefined);
  return (
    <Button onClick={handleShare}>
      <Share2 aria-hidden="true" />
      Share
    </Button>
  );
}
