import { jsonForScript } from './head-tags.ts';

/** A request that the app makes before the identity is known: its URL, and its headers with lower-case names. */
export type EarlyRequest = [url: string, headers: Record<string, string>];

/** Placeholders for a page's key and its project's id in requests recorded by the build (app/prerender.tsx). */
export const PLACEHOLDERS = { key: 'KEY_OF_PAGE', projectId: 'PROJECT_OF_PAGE' } as const;

/** Fills in the placeholders for one page. Requests with a placeholder for which the page has no value are dropped. */
export function requestsOf(
  noted: readonly EarlyRequest[],
  { key, projectId }: { key: string | null; projectId: string | null },
): EarlyRequest[] {
  const filled = (url: string, placeholder: string, value: string | null) =>
    value === null ? url : url.replaceAll(placeholder, encodeURIComponent(value));
  return noted
    .map(([url, headers]): EarlyRequest => {
      const withKey = filled(url, PLACEHOLDERS.key, key);
      return [filled(withKey, PLACEHOLDERS.projectId, projectId), headers];
    })
    .filter(([url]) => !Object.values(PLACEHOLDERS).some((placeholder) => url.includes(placeholder)));
}

/** The element in which the inline script of index.html finds the requests; empty for none. */
export const renderEarlyRequests = (requests: readonly EarlyRequest[]) =>
  requests.length > 0 ? `<script type="application/json" id="early-requests">${jsonForScript(requests)}</script>` : '';
