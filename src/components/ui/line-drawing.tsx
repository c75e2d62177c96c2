const drawings = {
  /** An empty board with one pin. */
  board: 'M12 22h96v62H12zM20 30h80v46H20zM60 14v10M56 14h8M34 44h22M34 52h14M72 40h16v20H72z',
  /** A magnifying glass over nothing. */
  search: 'M52 20a24 24 0 1 0 0 48 24 24 0 0 0 0-48M70 62l22 22M42 40c3-5 8-7 13-7',
  /** A purse with the string untied. */
  purse:
    'M40 40c-14 12-18 26-12 36 4 8 52 8 60 0 6-10 0-24-14-36zM38 40h38M46 40c-2-8-6-10-10-14M68 40c2-8 6-10 10-14M58 54v14M52 58h10',
  /** A torn slip. */
  torn: 'M30 16h56v36l-8-5-9 6-9-7-10 7-9-6-11 5zM30 66l11-5 9 6 10-7 9 7 9-6 8 5v18H30zM42 28h30M42 36h20',
} as const;

export type Drawing = keyof typeof drawings;

/** A small line drawing for an empty state. Decorative. */
export function LineDrawing({ name }: { name: Drawing }) {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 120 96"
      className="h-24 w-30 text-field"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={drawings[name]} />
    </svg>
  );
}
