import type { ConversionRequest } from '../../packages/contract/src/domain/conversion.ts';
import type { FieldError } from '../../packages/contract/src/domain/problem.ts';
import { suggest } from '../../packages/contract/src/domain/suggest.ts';
import { conversionBody } from '../../packages/contract/src/wire/conversion.ts';
import { fieldErrors } from '../../packages/contract/src/wire/explain.ts';
import { applyFix } from './apply-fix.ts';
import { planRequest } from './planning.ts';
import { told } from './told.ts';

/** The errors of a request body, from its schema and from the planner. Empty if the request is accepted. */
export function errorsOfBody(body: unknown): readonly FieldError[] {
  const parsed = conversionBody.safeParse(body, { reportInput: true });
  if (!parsed.success) return told(fieldErrors(conversionBody, parsed.error.issues, body));
  const result = planRequest(parsed.data as ConversionRequest);
  return result.ok ? [] : told(result.errors);
}

/** The errors of a request, or its warnings if it is accepted, with their fixes as data. */
export function findingsIn(request: ConversionRequest): readonly FieldError[] {
  const result = planRequest(request);
  return result.ok
    ? result.plan.warnings.map((one) => ({ field: '', ...one }))
    : result.errors.map((one) => suggest(one));
}

/** The same as clients read it. */
export const mistakesIn = (request: ConversionRequest): readonly FieldError[] => told(findingsIn(request));

/** Options of the whole request. */
export type Parameters = Record<string, string | string[]>;

/** A request that converts a film. */
export const film = (parameters: Parameters, output = 'b.mp4'): ConversionRequest => ({
  input: 'a.mp4',
  output,
  parameters,
});

/**
 * Corrects a request by the fixes of its mistakes, one after the other. Fails if it is still mistaken after `limit` of
 * them.
 */
export function corrected(request: ConversionRequest, limit = 5): ConversionRequest {
  let current = request;
  for (let fixes = 0; fixes <= limit; fixes += 1) {
    const [mistake] = mistakesIn(current);
    if (mistake === undefined) return current;
    const { message, field, fix } = mistake;
    if (typeof fix !== 'string') throw new Error(`No fix: ${message}`);
    current = applyFix(current as never, { code: '', message, field, fix }) as never;
  }
  throw new Error(`Still mistaken: ${JSON.stringify(current)} ${JSON.stringify(mistakesIn(current))}`);
}
