import type { MailContent } from './template.ts';

/** Input shared by all mails. */
export type MailFrame = Pick<MailContent, 'siteUrl' | 'unsubscribeUrl'>;

export interface Message extends MailContent {
  subject: string;
}

/** The mail after the first sign-in (MAIL-03). Links projects to their dashboard, members to the quests. */
export function welcomeMessage(person: { firstName?: string; isStartup: boolean }, frame: MailFrame): Message {
  const greeting = person.firstName ? `Welcome to Questboard, ${person.firstName}` : 'Welcome to Questboard';
  const words = person.isStartup
    ? {
        paragraphs: [
          'Questboard brings your project in front of people who like to try things and tell you what they found.',
          'Create your project profile, then publish your first quest from a template. It takes a few minutes.',
        ],
        action: { label: 'Create your project profile', url: `${frame.siteUrl}/startup` },
      }
    : {
        paragraphs: [
          'Pick a quest, do its tasks and send your proof. Approved work earns you points, and points become rewards.',
          'Some quests have few spots left, so have a look at what is on the board.',
        ],
        action: { label: 'Browse quests', url: `${frame.siteUrl}/browse` },
      };
  return {
    subject: 'Welcome to Questboard',
    heading: greeting,
    ...words,
    reason: 'You receive this mail because you signed up to Questboard.',
    ...frame,
  };
}

/** Asks the holder of an address to confirm the mailing list subscription (C-82). */
export function confirmationMessage(token: string, frame: MailFrame): Message {
  return {
    subject: 'Please confirm your email address',
    heading: 'One more step',
    paragraphs: [
      'Somebody, most likely you, asked for news of Questboard at this address.',
      'Confirm it and you are on the list. If it was not you, do nothing: without it we send no news.',
    ],
    action: {
      label: 'Confirm my address',
      url: `${frame.siteUrl}/confirm-subscription?token=${encodeURIComponent(token)}`,
    },
    reason: 'You receive this mail because this address was entered in the form of Questboard’s mailing list.',
    ...frame,
  };
}

/** Content of a notification mail. */
export interface Note {
  subject: string;
  /** Plain text; blank lines separate paragraphs. */
  message: string;
  /** Target of the button, a path of the site. Defaults to the dashboard. */
  action?: { label: string; path: string };
}

/** A mail about something that happened to the reader's submission, reward or project (C-50). */
export function notificationMessage(note: Note, frame: MailFrame): Message {
  const { label, path } = note.action ?? { label: 'Open Questboard', path: '/app-dashboard' };
  return {
    subject: note.subject,
    heading: note.subject,
    paragraphs: note.message.split(/\n{2,}/).filter((paragraph) => paragraph.trim() !== ''),
    action: { label, url: `${frame.siteUrl}${path}` },
    reason: 'You receive this mail because of your activity on Questboard.',
    ...frame,
  };
}
