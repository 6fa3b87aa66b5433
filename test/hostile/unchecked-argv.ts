import {
  type ConversionRequest,
  nameOfInput,
  optionText,
  type Parameters,
} from '../../packages/contract/src/domain/conversion.ts';

/**
 * The argv of a request from a builder without checks: a dash before each option name, then its value.
 *
 * @param name Returns the name of an input in the argv.
 */
export function uncheckedArgv(request: ConversionRequest, name: (path: string, index: number) => string): string[] {
  const inputs = request.inputs ?? [request.input ?? ''];
  return [
    '-y',
    ...inputs.flatMap((input, index) =>
      typeof input === 'string'
        ? ['-i', name(input, index)]
        : [...optionArgs(input.parameters), '-i', name(nameOfInput(input), index)],
    ),
    ...uncheckedOutput(request),
  ];
}

/** The part of the argv after the inputs. */
export const uncheckedOutput = ({ parameters, format, output = '' }: ConversionRequest): readonly string[] => [
  ...optionArgs(parameters),
  ...(format === undefined ? [] : ['-f', format]),
  output,
];

/** Command builders without checks often treat an empty value as no value. */
const optionArgs = (parameters: Parameters = {}): string[] =>
  Object.entries(parameters).flatMap(([key, value]) =>
    [optionText(value)].flat().flatMap((one) => (one === '' ? [`-${key}`] : [`-${key}`, one])),
  );
