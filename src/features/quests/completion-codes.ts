/** Without look-alikes: no 0 and O, no 1, I and L. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const length = 10;

/** Generates distinct random codes, such as 'ABCDE-FGHJK'. */
export function newCompletionCodes(count: number): string[] {
  const codes = new Set<string>();
  while (codes.size < count) codes.add(newCode());
  return [...codes];
}

/**
 * Rejection sampling: bytes beyond the last whole multiple of the alphabet's size are discarded, so that all letters
 * are equally likely.
 */
function newCode(): string {
  let code = '';
  while (code.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (code.length < length && byte < 256 - (256 % alphabet.length)) code += alphabet[byte % alphabet.length];
    }
  }
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}
