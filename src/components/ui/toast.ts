export type Toast = {
  kind: 'success' | 'error';
  text: string;
  /** What the text is the result of. A later result of the same thing replaces it, so that no failure outlasts a retry. */
  about?: string | undefined;
};

/** How long a toast stays, in milliseconds; paused while it is hovered or focused. */
export const toastDuration = { success: 3000, error: 5000 } as const;

/** Toasts queued until the renderer has loaded. */
const waiting: Toast[] = [];
const listeners = new Set<() => void>();
let handler: ((item: Toast) => void) | null = null;
let isNeeded = false;

/** Called by the toaster when it is ready; returns a function that unregisters it. */
export function setToastHandler(next: (item: Toast) => void): () => void {
  handler = next;
  for (const item of waiting.splice(0)) next(item);
  return () => {
    handler = null;
  };
}

function show(item: Toast): void {
  if (handler) {
    handler(item);
    return;
  }
  waiting.push(item);
  isNeeded = true;
  for (const listener of listeners) listener();
}

const showAs = (kind: Toast['kind']) => (text: string, about?: string) => show({ kind, text, about });

/** Short results: success stays 3 s and is a status, errors stay 5 s and are alerts. Alt+T moves the focus to them. */
export const toast = {
  success: showAs('success'),
  error: showAs('error'),
};

/** Notifies AppToaster of the first toast, so that it mounts the toaster; returns the unsubscribe function. */
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const isToasterNeeded = (): boolean => isNeeded;
