import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import { Problem } from '../../packages/contract/src/domain/problem.ts';
import { conversionBody } from '../../packages/contract/src/wire/conversion.ts';
import { fieldErrors } from '../../packages/contract/src/wire/explain.ts';
import { parseJson } from '../../packages/contract/src/wire/json.ts';
import { planRequest } from '../support/planning.ts';

/** Reads and checks a body of `POST /api/conversion` as the service does. Returns what is wrong, or the plan. */
export function readRequest(text: string): unknown {
  try {
    const document = parseJson(Buffer.from(text));
    const read = conversionBody.safeParse(document);
    if (!read.success) return fieldErrors(conversionBody, read.error.issues, document);
    const request: ConversionRequest = read.data;
    return planRequest(request);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
