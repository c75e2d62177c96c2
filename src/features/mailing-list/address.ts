/** What is wrong with an e-mail address without spaces around it, in words; null when nothing is (MAIL-01). */
export function addressProblem(address: string): string | null {
  if (address === '') return 'Please enter your email';
  // Only what is surely none is refused here: the database decides, and a mail proves it.
  return /^[^\s@<>]+@[^\s@.<>]+(\.[^\s@.<>]+)+$/.test(address) ? null : 'Please enter a valid email address';
}
