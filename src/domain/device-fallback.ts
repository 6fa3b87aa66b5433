import type { ConversionRequest, InputSpec, OutputSpec, Parameters } from './conversion.ts';
import { deviceTypeOf } from './devices.ts';

/** The options of inputs that decode on a device. */
const HWACCEL: ReadonlySet<string> = new Set(['hwaccel', 'hwaccel_output_format']);

/**
 * Returns the request that runs if no hardware device can run this one: its `fallback` replaces its `parameters`, and so in each of
 * its outputs. Inputs are decoded by the processor. undefined if the request has no fallback.
 */
export function fallbackOf(request: ConversionRequest): ConversionRequest | undefined {
  const { fallback, ...rest } = request;
  if (!hasFallback(request)) return undefined;
  const parameters = fallback ?? (rest.parameters && withoutDevice(rest.parameters));
  return {
    ...rest,
    ...(parameters && { parameters }),
    ...(rest.inputs && { inputs: rest.inputs.map(decodedByProcessor) }),
    ...(rest.outputs && { outputs: rest.outputs.map(outputFallback) }),
  };
}

/** Whether a request says what runs if no hardware device can run it. */
export const hasFallback = ({ fallback, outputs = [] }: ConversionRequest): boolean =>
  fallback !== undefined || outputs.some((one) => one.fallback !== undefined);

function outputFallback({ fallback, ...spec }: OutputSpec): OutputSpec {
  return fallback === undefined ? spec : { ...spec, parameters: fallback };
}

const decodedByProcessor = (input: string | InputSpec): string | InputSpec =>
  typeof input === 'string' || input.parameters === undefined
    ? input
    : { ...input, parameters: withoutDevice(input.parameters) };

/** The options of an input without those that name a device, or a decoder on one. */
const withoutDevice = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).filter(
      ([name, value]) =>
        !HWACCEL.has(name) && !(typeof value === 'string' && /_cuvid$/.test(value) && deviceTypeOf(value)),
    ),
  );

/** Where the client set a field of the request that `fallbackOf` returns. */
export function fieldOfFallback(request: ConversionRequest, field: string): string {
  const [, index = '', rest] = /^\/outputs\/(\d+)\/parameters(\/.*)?$/.exec(field) ?? [];
  if (rest !== undefined && request.outputs?.[Number(index)]?.fallback !== undefined)
    return `/outputs/${index}/fallback${rest}`;
  return request.fallback === undefined ? field : field.replace(/^\/parameters(?=\/|$)/, '/fallback');
}
