import { ask } from '../../process/ask.ts';
import { type Finding, fine, problem } from '../finding.ts';
import type { SettingsWith } from '../settings.ts';

/** GitHub still takes the token, which expires there: with a refused one no merged pull request is found. */
export async function checkGithub(settings: SettingsWith<'GITHUB_API_URL' | 'GITHUB_TOKEN'>): Promise<Finding> {
  const { GITHUB_API_URL, GITHUB_TOKEN } = settings;
  const { status } = await ask(`${GITHUB_API_URL}/rate_limit`, {
    headers: { authorization: `Bearer ${GITHUB_TOKEN}` },
  });
  if (status === 401)
    return problem('GITHUB_TOKEN', 'is not accepted by GitHub: it is wrong, has expired or was revoked');
  return status === 200
    ? fine('GitHub token', 'is accepted')
    : problem('GITHUB_API_URL', `answers ${status || 'nothing'}`);
}
