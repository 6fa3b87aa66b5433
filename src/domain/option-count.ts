import type { ConversionRequest } from './conversion.ts';

function optionCount(options: ConversionRequest['parameters']): number {
  let count = 0;
  for (const name in options) {
    const value = options[name];
    count += typeof value === 'object' ? value.length : 1;
  }
  return count;
}

/** Counts the options of a request and of its inputs and outputs. Each member of a list counts as one option. */
export const countOptions = ({
  parameters: own,
  inputs = [],
  outputs = [],
}: Pick<ConversionRequest, 'parameters' | 'inputs' | 'outputs'>): number =>
  [...inputs, ...outputs].reduce(
    (sum, one) => sum + (typeof one === 'string' ? 0 : optionCount(one.parameters)),
    optionCount(own),
  );
