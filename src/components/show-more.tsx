import type { ReactNode } from 'react';
import { Button } from '@/components/ui/button';

type ShowMoreProps = {
  /** An infinite query. */
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  variant?: 'secondary' | 'link';
  /** Names what it shows: 'Show older payments'. */
  children: ReactNode;
};

/** Loads the next page of a list; renders nothing on the last one. */
export function ShowMore({ list, variant = 'secondary', children }: ShowMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant={variant}
      className="justify-self-center"
      isLoading={list.isFetchingNextPage}
      onClick={() => list.fetchNextPage()}
    >
      {children}
    </Button>
  );
}
