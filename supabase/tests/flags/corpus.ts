/** The shape of corpus.json, which make-corpus.ts writes. */
export type FraudKind = 'link' | 'file' | 'picture' | 'text' | 'pace' | 'relation' | 'mailbox';

export interface CorpusQuest {
  id: string;
  /** Member id of the owner. */
  owner: string;
  website: string;
  title: string;
  instructions: string;
}

export interface CorpusMember {
  id: string;
  email: string;
  /** Seconds between sign-up and the first submission of the corpus; negative: signed up after it. */
  joinedBefore: number;
  referrer?: string;
}

/** How a test draws a screenshot. The same drawing with other `edits` is the same screen, photographed or saved again. */
export interface Drawing {
  scene: 'page' | 'button';
  seed: number;
  /** Seed of what differs between members: a name, a clock. */
  person?: number;
  edits: { brightness?: number; noise?: number; scale?: number; crop?: number; banner?: boolean };
}

export interface CorpusSubmission {
  member: string;
  quest: string;
  /** Seconds after the first submission. */
  at: number;
  url?: string;
  text?: string;
  picture?: Drawing;
  /** Null: honest. */
  fraud: FraudKind | null;
  /** What makes this case hard, for whoever investigates a wrong result. */
  note: string;
}

export interface Corpus {
  quests: CorpusQuest[];
  members: CorpusMember[];
  submissions: CorpusSubmission[];
}

export const CORPUS_FILE = new URL('corpus.json', import.meta.url);
