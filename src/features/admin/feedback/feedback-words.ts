import type { StatusWord } from '@/components/status-stamp';
import type { Tone } from '@/components/ui/badge';

/** How feedback's codes are said and coloured; an unknown one is shown as it is. */
export const typeWords: Readonly<Record<string, string>> = {
  bug: 'Bug',
  feature: 'Feature',
  rating: 'Rating',
  general: 'General',
  other: 'Other',
};

export const feedbackStamps: Readonly<Record<string, StatusWord>> = {
  new: 'New',
  reviewed: 'Reviewed',
  resolved: 'Resolved',
};

export const priorities: Readonly<Record<string, { word: string; tone: Tone }>> = {
  urgent: { word: 'Urgent', tone: 'danger' },
  high: { word: 'High', tone: 'warning' },
  medium: { word: 'Medium', tone: 'neutral' },
  other: { word: 'Other', tone: 'neutral' },
};
