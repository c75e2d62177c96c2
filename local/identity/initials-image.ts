import { primaryEmail, type User } from './model.ts';

/** A data URL with the user's initials on a colour of their own, since nothing may be fetched from outside. */
export function initialsImage(user: User): string {
  const initials = `${user.firstName?.charAt(0) ?? ''}${user.lastName?.charAt(0) ?? ''}`;
  const letters = (initials || (primaryEmail(user)?.address.charAt(0) ?? '')).toUpperCase();
  const hue = [...user.id].reduce((sum, character) => (sum * 31 + character.charCodeAt(0)) % 360, 0);
  const svg = [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64">',
    `<rect width="64" height="64" fill="hsl(${hue} 45% 40%)"/>`,
    '<text x="32" y="33" fill="white" font-family="system-ui,sans-serif" font-size="26" font-weight="600"',
    ` text-anchor="middle" dominant-baseline="central">${letters.replace(/[<>&]/g, '')}</text></svg>`,
  ].join('');
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
