import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { meantNames, meantSeconds } from '@telecine/contract/wire/explain-scalars.ts';

/**
 * Converts times in `at` to a list of seconds: `"00:01:30"`, `90` or `["1:30", "2m"]`. Leaves other values unchanged.
 */
export function timesInSeconds(args: unknown): unknown {
  if (!isMembers(args) || args['at'] === undefined) return args;
  const { at } = args;
  const times: readonly unknown[] = Array.isArray(at) ? at : [at];
  return { ...args, at: times.map((one) => (typeof one === 'string' ? (meantSeconds(one) ?? one) : one)) };
}

/** Converts the times of a measurement to texts of seconds, and the name of one measurement to a list. */
export function measurementTexts(args: unknown): unknown {
  if (!isMembers(args)) return args;
  const { measure } = args;
  const texts = ['ss', 't'].flatMap((name): readonly (readonly [string, string])[] => {
    const value = args[name];
    const seconds = typeof value === 'string' ? meantSeconds(value) : value;
    return typeof seconds === 'number' ? [[name, String(seconds)]] : [];
  });
  const names = typeof measure === 'string' ? meantNames(measure) : undefined;
  return { ...args, ...Object.fromEntries(texts), ...(names !== undefined && { measure: names }) };
}
