import type { z } from 'zod';
import { type FieldError, Problem, pointerKey } from '../domain/problem.ts';
import { isContainer } from './apply-patch.ts';
import { keysOf, parentOf, valueAt } from './json-pointer.ts';

/** Matches an option of the request or of one of its inputs, or an element of a list: `/parameters/crf`, `/parameters/map/1`. */
const OPTION = /^(?:\/inputs\/\d+)?\/parameters\/([^/]+)(?:\/\d+)?$/;

/** Options that other parts of the request depend on. Without such an option, the rest of the request would have additional errors. */
const STRUCTURE = /^(?:filter_complex|lavfi|map|f|c|codec|[vas]codec|c:.*|codec:.*)$/;

/**
 * Returns the errors that `schema` found in `value`, and the errors that `plan` finds in the parts of `value` that are right. So the client
 * learns all errors in one reply. `plan`: plans a body that the schema accepts. It throws INVALID_REQUEST with its errors.
 */
export async function allErrors<T extends z.ZodType>(
  schema: T,
  value: unknown,
  errors: readonly FieldError[],
  plan: (body: z.infer<T>) => Promise<unknown>,
): Promise<readonly FieldError[]> {
  const corrected = withoutWrongTypes(value, errors);
  const parsed = corrected === undefined ? undefined : schema.safeParse(corrected);
  if (parsed?.success !== true) return errors;
  try {
    await plan(parsed.data);
    return errors;
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'INVALID_REQUEST') return errors;
    const hasOutput = errors.every(({ field, code }) => field !== '/output' || code !== 'MISSING');
    return [...errors, ...(hasOutput ? error.errors : error.errors.filter(isOfAnyOutput))];
  }
}

/** A copy of the value without the options of wrong types. undefined: there is an error of another kind. */
function withoutWrongTypes(value: unknown, errors: readonly FieldError[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const { field, code } of errors) {
    const [path, key = ''] = [parentOf(field), keysOf(field).at(-1)];
    const option = pointerKey(OPTION.exec(field)?.[1] ?? '');
    const parent = valueAt(copy, path);
    if (!isContainer(parent)) return undefined;
    const wrong: unknown = Reflect.get(parent, key);
    if (code === 'MISSING' && field === '/output') {
      Reflect.set(parent, key, 'out.mp4');
      continue;
    }
    if (code === 'UNKNOWN_FIELD' && path === '' && STRUCTURE.test(key)) return undefined;
    else if (code === 'UNKNOWN_FIELD' && path === '') Reflect.deleteProperty(parent, key);
    else if (code !== 'WRONG_TYPE' || option === '') return undefined;
    else if (Array.isArray(parent) || (wrong !== null && STRUCTURE.test(option))) return undefined;
    else Reflect.deleteProperty(parent, key);
  }
  return copy;
}

/**
 * Whether an error does not depend on the output. If the output is missing, the plan has an example, and only these errors are reported.
 */
const isOfAnyOutput = ({ code }: FieldError): boolean => code === 'UNKNOWN_OPTION';
