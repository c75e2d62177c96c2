type ErrorSummaryProps = {
  /** In field order; `field` is passed to `onSelect`. */
  problems: readonly { field: string; message: string }[];
  /** Moves the focus to the field. */
  onSelect: (field: string) => void;
};

/** Error summary of a form; each entry links to its field (C-113). */
export function ErrorSummary({ problems, onSelect }: ErrorSummaryProps) {
  if (problems.length === 0) return null;
  return (
    <section aria-label="What to correct" className="grid gap-2 rounded-card border border-danger bg-card p-4">
      <h2 className="text-base">
        {problems.length === 1 ? 'One thing to correct' : `${problems.length} things to correct`}
      </h2>
      <ul className="grid gap-1">
        {problems.map(({ field, message }) => (
          <li key={field}>
            <button
              type="button"
              onClick={() => onSelect(field)}
              className="min-h-6 text-left text-danger text-sm underline underline-offset-2 [overflow-wrap:anywhere] hover:no-underline"
            >
              {message}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
