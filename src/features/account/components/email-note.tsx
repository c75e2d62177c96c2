/** Said after saving an address that nobody has verified yet: the stored one stays (C-65). */
export function EmailNote({ stored, wanted }: { stored: string | null; wanted: string | null }) {
  if (!wanted || wanted.trim().toLowerCase() === (stored ?? '').toLowerCase()) return null;
  return (
    <p role="status" className="rounded-control bg-warning-soft px-4 py-3 text-warning">
      Your names are saved. Your email stays {stored ?? 'as it was'} until {wanted} is verified.
    </p>
  );
}
