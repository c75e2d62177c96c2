import type { z } from 'zod';
import { FunctionError } from './errors.ts';

/**
 * The raw body as text, up to `maxBytes`, whatever Content-Length claims.
 * @throws FunctionError BODY_TOO_LARGE
 */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw new FunctionError('BODY_TOO_LARGE');
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw new FunctionError('BODY_TOO_LARGE');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/**
 * The body as validated JSON.
 * @throws FunctionError BODY_TOO_LARGE, INVALID_JSON or INVALID_INPUT (details name the fields)
 */
export async function readJson<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  maxBytes: number,
): Promise<z.infer<Schema>> {
  const result = schema.safeParse(parseJson(await readText(request, maxBytes)));
  if (result.success) return result.data;
  const details = result.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  throw new FunctionError('INVALID_INPUT', details);
}

/** @throws FunctionError INVALID_JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new FunctionError('INVALID_JSON');
  }
}
