/** What one check found. `problem` means that something will not work; `warning` that it may not; `skipped` says what is missing. */
export interface Finding {
  state: 'fine' | 'warning' | 'problem' | 'skipped';
  /** What was looked at, as a noun: "Database policies". */
  subject: string;
  /** What is so, and for a problem what to do. Never a secret's value. */
  detail: string;
}

const finding =
  (state: Finding['state']) =>
  (subject: string, detail: string): Finding => ({ state, subject, detail });

export const fine = finding('fine');
export const warning = finding('warning');
export const problem = finding('problem');
export const skipped = finding('skipped');
