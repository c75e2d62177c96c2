/** Result of one check. `problem` means that something will not work; `warning` that it may not; `skipped` says what is missing. */
export interface Finding {
  state: 'fine' | 'warning' | 'problem' | 'skipped';
  /** What was checked, as a noun: "Database policies". */
  subject: string;
  /** The result, and for a problem what to do. Never the value of a secret. */
  detail: string;
}

const finding =
  (state: Finding['state']) =>
  (subject: string, detail: string): Finding => ({ state, subject, detail });

export const fine = finding('fine');
export const warning = finding('warning');
export const problem = finding('problem');
export const skipped = finding('skipped');
