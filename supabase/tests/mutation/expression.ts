/** Splits `a OR (b AND c)` at the given word where no parenthesis is open; the whole when there is none. */
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

/** Takes away parentheses that enclose the whole. */
function stripParentheses(expression: string): string {
  let text = expression.trim();
  while (text.startsWith('(') && closes(text) === text.length - 1) text = text.slice(1, -1).trim();
  return text;
}

/** Where the parenthesis that opens the text is closed. */
function closes(text: string): number {
  let depth = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '(') depth += 1;
    if (text[i] === ')') depth -= 1;
    if (depth === 0) return i;
  }
  return -1;
}
