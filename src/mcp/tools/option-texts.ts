type Values = Readonly<Record<string, unknown>>;

/**
 * Turns numbers and booleans in `parameters`, also those of inputs, into strings: models often send `"crf": 23`, whose
 * meaning is certain. REST rejects them.
 */
export function optionTexts(args: unknown): unknown {
  if (!isObject(args)) return args;
  const { parameters, inputs } = args;
  return {
    ...args,
    ...(isObject(parameters) && { parameters: textsOf(parameters) }),
    ...(Array.isArray(inputs) && { inputs: inputs.map(optionTexts) }),
  };
}

const isObject = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const textsOf = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf) : textOf(value)]),
  );

const textOf = (value: unknown): unknown =>
  typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
