/** Calls a procedure of the project as a visitor, by GET, so that its caches may answer. Throws when there is no answer. */
export type ProjectCall = (name: string, args: Record<string, string>) => Promise<unknown>;

/** A page must not wait longer than this for what its head says. */
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
