import { isUtf8 } from 'node:buffer';
import { invalidRequest, Problem } from '../domain/problem.ts';
import { locateFault } from './json-fault.ts';
import { isSuspicious, screen } from './json-guard.ts';

const invalid = (message: string, fix: string): Problem =>
  new Problem('INVALID_JSON', message, { errors: [{ field: '', code: 'INVALID_JSON', message, fix }] });

/**
 * Reads a JSON document (UTF-8, a byte order mark is ignored). Where a key stands twice, the last one counts.
 * Throws INVALID_JSON with the line and column, or INVALID_REQUEST for names and texts that `screen` refuses.
 */
export function parseJson(bytes: Buffer): unknown {
  if (!isUtf8(bytes)) throw invalid('The body is not valid UTF-8.', 'Encode the body as UTF-8.');
  const text = bytes[0] === 0xef ? bytes.toString('utf8').replace(/^\ufeff/, '') : bytes.toString('utf8');
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    throw invalid(
      `The body is not valid JSON: ${locateFault(text)}.`,
      'Send one JSON object, such as {"input": "movies/in.mov", "output": "movies/out.mp4"}.',
    );
  }
  if (isSuspicious(text)) {
    const errors = screen(document);
    if (errors.length > 0) throw invalidRequest(errors);
  }
  return document;
}
