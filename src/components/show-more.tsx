import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { toast } from '@/components/ui/toast';
import { describeError } from '@/lib/errors';

type ShowMoreProps = {
  /** An infinite query. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<{ error: Error | null }> };
  variant?: 'secondary' | 'link';
  /** Names what it shows: 'Show older payments'. */
  children: ReactNode;
};

/** Loads the next page of a list, or says why that failed; renders nothing on the last one. */
export function ShowMore({ list, variant = 'secondary', children }: ShowMoreProps) {
  if (!list.hasNextPage) return null;
  const handleClick = async () => {
    const { error } = await list.fetchNextPage();
    if (error) toast.error(describeError(error));
  };
  return (
    <Button variant={variant} className="justify-self-center" isLoading={list.isFetchingNextPage} onClick={handleClick}>
      {children}
    </Button>
  );
}
