import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useAlert } from '@/components/alert-provider';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { downloadBlob } from '@/lib/csv';
import { errorMessage } from '@/lib/errors';
import { emailsCsv, emailsFileName } from '../emails-csv';
import { type Campaign, campaignQueries, fetchCollectedEmails } from '../queries';

/** Downloads the quest's e-mail addresses; there only when it has collected some (SDASH-08, SDASH-09). */
export function DownloadEmails({ campaign }: { campaign: Campaign }) {
  const count = useQuery(campaignQueries.emailCount(campaign.id)).data ?? 0;
  const [isReading, setIsReading] = useState(false);
  const alert = useAlert();
  if (count === 0) return null;

  const handleClick = async () => {
    setIsReading(true);
    try {
      const emails = await fetchCollectedEmails(campaign.id);
      // A member can have withdrawn the only address since it was counted.
      if (emails.length === 0) alert('No emails collected for this campaign yet.');
      else downloadBlob(emailsCsv(campaign.title, emails), emailsFileName(campaign.title));
    } catch (error) {
      toast.error(errorMessage(error));
    } finally {
      setIsReading(false);
    }
  };

  return (
    <Button variant="secondary" isLoading={isReading} onClick={handleClick}>
      <Download aria-hidden="true" />
      Download Emails
    </Button>
  );
}
