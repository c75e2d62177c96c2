import { jsonForScript } from './head-tags.ts';

/** A request that the app will make before it is known who looks: its address, and its headers by their names in lower case. */
export type EarlyRequest = [url: string, headers: Record<string, string>];

/** What stands for a page's own key, and for the id of its project, in requests that the build has noted (app/early-requests.ts). */
export const PLACEHOLDERS = { key: 'KEY_OF_PAGE', projectId: 'PROJECT_OF_PAGE' } as const;

/** The requests of one page. One that names something which the page does not have is left out. */
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

/** The requests as the page's first script finds them (index.html); nothing for none. */
export const renderEarlyRequests = (requests: readonly EarlyRequest[]) =>
  requests.length > 0 ? `<script type="application/json" id="early-requests">${jsonForScript(requests)}</script>` : '';
