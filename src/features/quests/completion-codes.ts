/** Without what is easily mistaken for another: no 0 and O, no 1, I and L. */
const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const length = 10;

/** So many different codes that nobody can guess, as 'ABCDE-FGHJK'. */
export function newCompletionCodes(count: number): string[] {
  const codes = new Set<string>();
  while (codes.size < count) codes.add(newCode());
  return [...codes];
}

/** Bytes beyond the last whole multiple of the alphabet are thrown away, so that every letter is as likely as another. */
function newCode(): string {
  let code = '';
  while (code.length < length) {
    for (const byte of crypto.getRandomValues(new Uint8Array(length * 2))) {
      if (code.length < length && byte < 256 - (256 % alphabet.length)) code += alphabet[byte % alphabet.length];
    }
  }
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}
