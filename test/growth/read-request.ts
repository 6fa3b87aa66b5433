import type { ConversionRequest } from '../../src/domain/conversion.ts';
import { conversionBody } from '../../src/wire/conversion.ts';
import { fieldErrors } from '../../src/wire/explain.ts';
import { parseJson } from '../../src/wire/json.ts';
import { missingFactsOf, planRequest } from '../support/planning.ts';

/** Reads and checks a body as the service does. Throws what it answers. */
export function readRequest(text: string): unknown {
  const document = parseJson(Buffer.from(text));
  const read = conversionBody.safeParse(document);
  if (!read.success) return fieldErrors(conversionBody, read.error.issues, document);
  const request: ConversionRequest = read.data;
  return planRequest(request);
}
