/** Spreadsheet programs run a cell that starts like this as a formula, full-width signs included (C-55, TRUST-13). */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

export type CsvValue = string | number | boolean | null | undefined;
export type CsvColumn<Row> = { header: string; value: (row: Row) => CsvValue };

/** Quotes a cell, doubles inner quotes and neutralises formulas with an apostrophe. Numbers are written as they are. */
export function csvCell(value: CsvValue): string {
  if (typeof value === 'number') return `"${value}"`;
  const text = String(value ?? '');
  return `"${(formulaStart.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;
}

/** The lines of a CSV file one by one, header first, each ended by CRLF (RFC 4180). */
export function* csvLines<Row>(rows: Iterable<Row>, columns: CsvColumn<Row>[]): Generator<string> {
  yield `${columns.map((column) => csvCell(column.header)).join(',')}\r\n`;
  for (const row of rows) yield `${columns.map((column) => csvCell(column.value(row))).join(',')}\r\n`;
}

/** Builds the file without holding it as one string; the byte order mark makes Excel read UTF-8. */
export function csvBlob<Row>(rows: Iterable<Row>, columns: CsvColumn<Row>[]): Blob {
  return new Blob(['\uFEFF', ...csvLines(rows, columns)], { type: 'text/csv;charset=utf-8' });
}

/** Downloads a file in the browser. */
export function downloadBlob(blob: Blob, fileName: string): void {
  const href = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = href;
  link.download = fileName;
  link.click();
  // Revoking the URL immediately would cancel the download in some browsers.
  setTimeout(() => URL.revokeObjectURL(href), 10_000);
}
