/** Splits `a OR (b AND c)` at the given top-level word; returns the whole text if there is none. */
export function splitTopLevel(expression: string, word: 'OR' | 'AND'): string[] {
  const text = stripParentheses(expression);
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '(') depth += 1;
    if (text[i] === ')') depth -= 1;
    if (depth === 0 && text.startsWith(` ${word} `, i)) {
      parts.push(text.slice(from, i));
      from = i + word.length + 2;
    }
  }
  return [...parts, text.slice(from)];
}

/** Removes parentheses that enclose the whole text. */
function stripParentheses(expression: string): string {
  let text = expression.trim();
  while (text.startsWith('(') && closes(text) === text.length - 1) text = text.slice(1, -1).trim();
  return text;
}

/** Index of the parenthesis that closes the one at the start of the text. */
function closes(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '(') depth += 1;
    if (text[i] === ')') depth -= 1;
    if (depth === 0) return i;
  }
  return -1;
}
