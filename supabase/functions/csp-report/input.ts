import { z } from 'zod';
import { routeOf } from '../_shared/scrub.ts';

/** The stored part of a violation: no full URLs, which may contain ids and names. */
export interface Refusal {
  directive: string;
  /** Blocked origin, or a keyword of the policy such as `inline`. */
  blocked: string;
  /** Route of the page. */
  page: string;
}

/** As every browser sends it to `report-uri`. */
export const reportInput = z.object({
  'csp-report': z.object({
    'effective-directive': z.string().max(100).optional(),
    'violated-directive': z.string().max(2_000).optional(),
    'blocked-uri': z.string().max(4_096),
    'document-uri': z.string().max(4_096),
  }),
});

const DIRECTIVE = /^[a-z-]{1,40}$/;

/** Parses a violation report; null for unrelated ones, such as those of browser extensions. */
export function refusalOf({ 'csp-report': report }: z.infer<typeof reportInput>): Refusal | null {
  const directive = (report['effective-directive'] ?? report['violated-directive'] ?? '').split(' ')[0] ?? '';
  const blocked = sourceOf(report['blocked-uri']);
  if (!DIRECTIVE.test(directive) || !blocked || !URL.canParse(report['document-uri'])) return null;
  return { directive, blocked, page: routeOf(report['document-uri']).slice(0, 200) };
}

function sourceOf(blocked: string): string | null {
  if (!URL.canParse(blocked)) return DIRECTIVE.test(blocked) ? blocked : null;
  const { protocol, origin } = new URL(blocked);
  if (/^(https?|wss?):$/.test(protocol)) return origin.slice(0, 200);
  return protocol === 'data:' || protocol === 'blob:' ? protocol : null;
}
