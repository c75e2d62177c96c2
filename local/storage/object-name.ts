import { StorageError } from './storage-error.ts';

/** The characters that the hosted storage accepts in an object's name. */
const ALLOWED = /^[\w/!\-.*'() &$@=;:+,?]+$/;
const MAX_LENGTH = 1024;

/** Returns a decoded object name as it is, or throws when the platform would refuse it. */
export function checkObjectName(name: string): string {
  const isPlain = name.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
  if (ALLOWED.test(name) && isPlain && name.length <= MAX_LENGTH) return name;
  throw new StorageError(400, 'InvalidKey', `Invalid key: ${name}`);
}
