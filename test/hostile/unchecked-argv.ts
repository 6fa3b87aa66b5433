import type { ConversionRequest, Parameters } from '../../src/domain/conversion.ts';

/**
 * The argv that a builder without checks makes of a request: a dash before each name, and each value behind it.
 *
 * @param name What an input is called where ffmpeg runs.
 */
export function uncheckedArgv(request: ConversionRequest, name: (path: string, index: number) => string): string[] {
  const inputs = request.inputs ?? [request.input ?? ''];
  return [
    '-y',
    ...inputs.flatMap((input, index) =>
      typeof input === 'string'
        ? ['-i', name(input, index)]
        : [...words(input.parameters), '-i', name(input.input, index)],
    ),
    ...uncheckedOutput(request),
  ];
}

/** What of it comes behind the inputs. */
export const uncheckedOutput = ({ parameters, format, output }: ConversionRequest): readonly string[] => [
  ...words(parameters),
  ...(format === undefined ? [] : ['-f', format]),
  output,
];

/** An empty value is what such builders take for "no value". */
const words = (parameters: Parameters = {}): string[] =>
  Object.entries(parameters).flatMap(([key, value]) =>
    (typeof value === 'string' ? [value] : value).flatMap((one) => (one === '' ? [`-${key}`] : [`-${key}`, one])),
  );
