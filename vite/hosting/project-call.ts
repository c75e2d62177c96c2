/** Calls a procedure of the project as a visitor, by GET, so that caches may answer. Throws without a response. */
export type ProjectCall = (name: string, args: Record<string, string>) => Promise<unknown>;

/** How long a page may wait for the content of its head. */
const PATIENCE_MS = 2500;

export function projectCall(projectUrl: string, anonKey: string): ProjectCall {
  return async (name, args) => {
    const response = await fetch(`${projectUrl}/rest/v1/rpc/${name}?${new URLSearchParams(args)}`, {
      headers: { apikey: anonKey },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    if (!response.ok) throw new Error(`${name} answered ${response.status}`);
    return response.json();
  };
}
