/** The shape of corpus.json, which make-corpus.ts writes. */
export type FraudKind = 'link' | 'file' | 'picture' | 'text' | 'pace' | 'relation' | 'mailbox';

export interface CorpusQuest {
  id: string;
  /** Owner's member id; the project is theirs. */
  owner: string;
  website: string;
  title: string;
  instructions: string;
}

export interface CorpusMember {
  id: string;
  email: string;
  /** Seconds before the first submission of the corpus at which the account was made; negative: after it. */
  joinedBefore: number;
  referrer?: string;
}

/** How a test draws a screenshot. The same drawing with other `edits` is the same screen, photographed or saved again. */
export interface Drawing {
  scene: 'page' | 'button';
  seed: number;
  /** Seed of the part that differs from member to member: a name, a clock. */
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
  /** What makes it hard, for whoever reads a wrong result. */
  note: string;
}

export interface Corpus {
  quests: CorpusQuest[];
  members: CorpusMember[];
  submissions: CorpusSubmission[];
}

export const CORPUS_FILE = new URL('corpus.json', import.meta.url);
