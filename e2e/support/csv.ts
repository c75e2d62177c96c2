/**
 * Parses a CSV file strictly by RFC 4180 with every cell quoted (SUBM-10): rows of cells, the header first. Throws on any deviation from
 * the format.
 */
export function readQuotedCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  // One quoted cell and its delimiter.
  const cell = /"((?:[^"]|"")*)"(,|\r\n)/y;
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex;
    const match = cell.exec(text);
    if (!match) throw new Error(`No quoted cell at character ${start}: ${text.slice(start, start + 40)}`);
    row.push((match[1] ?? '').replaceAll('""', '"'));
    if (match[2] === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
