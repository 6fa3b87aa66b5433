import type { Caller } from '../../domain/client.ts';
import type { ConversionRequest } from '../../domain/conversion.ts';
import { type FieldError, invalidRequest, Problem, pointerKey } from '../../domain/problem.ts';

/** Returns the duration of an input in seconds. undefined if it is not known, or not soon. Never throws. */
export type InputSeconds = (caller: Caller, path: string) => Promise<number | undefined>;

const SHARE = /^\s*(\d{1,3}(?:\.\d{1,3})?)\s*%\s*$/;

/** Options and arguments of recipes that say where something begins. */
const STARTS: ReadonlySet<string> = new Set(['ss', 'start', 'at']);
const MAX_START = 0.99;

/** Whether an error is about a time that is none, in an option or in an argument of a recipe. */
const isAboutTime = ({ code, message }: FieldError): boolean =>
  code === 'BAD_TIME' || (code === 'BAD_ARGUMENT' && message.includes(' must be a time'));

/** A time that the client sent as a share of its input: `"ss": "50%"`. */
interface ShareTime {
  /** From 0 to 1. */
  readonly share: number;
  /** The input that it is a share of. */
  readonly path: string;
  /** Whether it is an option, whose value is a text. */
  readonly isOption: boolean;
}

/**
 * Replaces the fix of errors about times that are shares of an input (`"ss": "50%"`) by the time itself. Returns any other
 * error as it is.
 */
export async function withShareTimes(
  error: unknown,
  request: ConversionRequest,
  secondsOfFile: (path: string) => Promise<number | undefined>,
): Promise<unknown> {
  if (!(error instanceof Problem) || error.code !== 'INVALID_REQUEST') return error;
  const shares = error.errors.map((one) => (isAboutTime(one) ? shareAt(request, one.field) : undefined));
  // All are mostly of one input, and a client may send any number of them.
  const path = shares.find((one) => one !== undefined)?.path;
  const seconds = path === undefined ? undefined : await secondsOfFile(path);
  if (seconds === undefined) return error;
  return invalidRequest(
    error.errors.map((one, index): FieldError => {
      const found = shares[index];
      if (found === undefined || found.path !== path) return one;
      const time = Number((found.share * seconds).toFixed(3));
      const message = `${one.message} The input lasts ${Number(seconds.toFixed(3))} s.`;
      return { ...one, message, fix: `Send ${found.isOption ? JSON.stringify(String(time)) : time}.` };
    }),
  );
}

function shareAt(request: ConversionRequest, field: string): ShareTime | undefined {
  const keys = field.split('/').slice(1).map(pointerKey);
  const text = keys.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? Reflect.get(at, key) : undefined),
    request,
  );
  const [, percent] = typeof text === 'string' ? (SHARE.exec(text) ?? []) : [];
  const { input, inputs = [] } = request;
  const own = keys[0] === 'inputs' ? inputs[Number(keys[1])] : (inputs[0] ?? input);
  const path = typeof own === 'object' ? own.input : own;
  if (percent === undefined || path === undefined) return undefined;
  const share = Number(percent) / 100;
  // After the end, and for a start at the end, there is nothing.
  if (share > (STARTS.has(keys.at(-1) ?? '') ? MAX_START : 1)) return undefined;
  return { share, path, isOption: keys.includes('parameters') };
}
