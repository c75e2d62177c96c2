import { failures } from './errors.ts';
import type { Metadata } from './model.ts';

const emailPattern = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** The address in the field `email_address`. */
export function parseEmail(text: string | undefined): string {
  if (!text) throw failures.paramMissing('email_address');
  const address = text.trim().toLowerCase();
  if (!emailPattern.test(address) || address.length > 254) throw failures.emailInvalid();
  return address;
}

/** Metadata arrives as JSON text in a form field. */
export function parseMetadata(text: string, param: string): Metadata {
  try {
    const value: unknown = JSON.parse(text);
    if (isMetadata(value)) return value;
  } catch {
    // Reported below as Clerk's error.
  }
  throw failures.paramInvalid(param);
}

/** Merges as Clerk does: objects in depth, a null removes its key. */
export function mergeMetadata(current: Metadata, change: Metadata): Metadata {
  const merged = { ...current };
  for (const [key, value] of Object.entries(change)) {
    const before = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isMetadata(value) ? mergeMetadata(isMetadata(before) ? before : {}, value) : value;
  }
  return merged;
}

/** Public and private metadata are for servers: a browser that sends them is refused, as by Clerk. */
export function refuseServerFields(form: Partial<Record<string, string>>): void {
  for (const param of ['public_metadata', 'private_metadata']) {
    if (param in form) throw failures.paramUnknown(param);
  }
}

function isMetadata(value: unknown): value is Metadata {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
