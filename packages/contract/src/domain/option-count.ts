import type { ConversionRequest, InputSpec, OutputSpec } from './conversion.ts';

function optionCount(options: ConversionRequest['parameters']): number {
  let count = 0;
  for (const name in options) {
    const value = options[name];
    count += typeof value === 'object' ? value.length : 1;
  }
  return count;
}

const fallbackCount = (one: InputSpec | OutputSpec): number => ('fallback' in one ? optionCount(one.fallback) : 0);

/** Counts the options of a request and of its inputs and outputs. Each member of a list counts as one option. */
export const countOptions = ({
  parameters: own,
  fallback,
  inputs = [],
  outputs = [],
}: Pick<ConversionRequest, 'parameters' | 'fallback' | 'inputs' | 'outputs'>): number =>
  [...inputs, ...outputs].reduce(
    (sum, one) => sum + (typeof one === 'string' ? 0 : optionCount(one.parameters) + fallbackCount(one)),
    optionCount(own) + optionCount(fallback),
  );
