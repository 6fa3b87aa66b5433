import { meantNames, meantSeconds } from '../../wire/explain-scalars.ts';

type Values = Readonly<Record<string, unknown>>;

/**
 * Turns numbers and booleans in `parameters`, also those of inputs, and times of inputs into strings: models often send `"crf": 23`, whose
 * meaning is certain. REST rejects them.
 */
export function optionTexts(args: unknown): unknown {
  if (!isObject(args)) return args;
  const { inputs } = args;
  const inputOf = (one: unknown): unknown => (isObject(one) ? withTexts(withSeconds(one)) : one);
  return { ...withTexts(args), ...(Array.isArray(inputs) && { inputs: inputs.map(inputOf) }) };
}

/** The same input with its times as texts. */
function withSeconds(input: Values): Values {
  const times = ['duration', 'crossfade'].filter((name) => typeof input[name] === 'number');
  return times.length === 0
    ? input
    : { ...input, ...Object.fromEntries(times.map((name) => [name, String(input[name])])) };
}

/** Turns times in `at` into a list of seconds: `"00:01:30"`, `90` and `["1:30", "2m"]`. Leaves other values as they are. */
export function timesInSeconds(args: unknown): unknown {
  if (!isObject(args) || args['at'] === undefined) return args;
  const { at } = args;
  const times: readonly unknown[] = Array.isArray(at) ? at : [at];
  return { ...args, at: times.map((one) => (typeof one === 'string' ? (meantSeconds(one) ?? one) : one)) };
}

/** Turns the times of a measurement into texts of seconds, and the name of one measurement into a list. */
export function measurementTexts(args: unknown): unknown {
  if (!isObject(args)) return args;
  const { measure } = args;
  const texts = ['ss', 't'].flatMap((name): readonly (readonly [string, string])[] => {
    const value = args[name];
    const seconds = typeof value === 'string' ? meantSeconds(value) : value;
    return typeof seconds === 'number' ? [[name, String(seconds)]] : [];
  });
  const names = typeof measure === 'string' ? meantNames(measure) : undefined;
  return { ...args, ...Object.fromEntries(texts), ...(names !== undefined && { measure: names }) };
}

/** The same value with texts in its own `parameters`. */
function withTexts(value: Values): Values {
  if (!isObject(value['parameters'])) return value;
  const texts = Object.entries(value['parameters']).map(([name, option]) => [
    name,
    Array.isArray(option) ? option.map(textOf) : textOf(option),
  ]);
  return { ...value, parameters: Object.fromEntries(texts) };
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Flags accept "true" and "false" too, as options with a Boolean value do. */
const textOf = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
