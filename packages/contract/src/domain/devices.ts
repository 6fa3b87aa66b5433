import type { ConversionRequest, InputSpec, OutputSpec, Parameters } from './conversion.ts';

/** The types of hardware devices that conversions can use, by the names that ffmpeg has for them. */
export const DEVICE_TYPES = ['cuda', 'vaapi'] as const;

/** `cuda`: a graphics card of NVIDIA, with its encoders (NVENC). `vaapi`: a device with a VA-API driver, such as Intel's and AMD's. */
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** A hardware device of a worker, as other processes see it. */
export interface WorkerDevice {
  readonly type: DeviceType;
  /** The encoders that worked on it when the worker started, sorted. Each model of a device has others. */
  readonly encoders: readonly string[];
  /** How many conversions use it at the same time. */
  readonly sessions: number;
}

/** What the devices of a worker offer to requests: the names of their types and of their encoders. Empty without devices. */
export const deviceAbilities = (devices: readonly WorkerDevice[]): ReadonlySet<string> =>
  new Set(devices.flatMap(({ type, encoders }) => [type, ...encoders]).sort());

const NEED = 'device:';

/** The need of a job for an ability of a device. */
export const deviceNeed = (ability: string): string => `${NEED}${ability}`;

/** The ability of a device in a need. undefined for other needs. */
export const abilityOf = (need: string): string | undefined =>
  need.startsWith(NEED) ? need.slice(NEED.length) : undefined;

const SUFFIXES: readonly (readonly [RegExp, DeviceType])[] = [
  [/(?:^|_)(?:cuda|nvenc|cuvid)$/, 'cuda'],
  [/(?:^|_)vaapi$/, 'vaapi'],
];

/** The type of device that a codec, filter or ability uses, by its name: `cuda` for `h264_nvenc`. undefined for other names. */
export const deviceTypeOf = (name: string): DeviceType | undefined =>
  SUFFIXES.find(([pattern]) => pattern.test(name))?.[1];

/** The type of device that a job needs. undefined if it needs no device. */
export const neededDevice = (needs: readonly string[]): DeviceType | undefined => {
  const [ability] = needs.flatMap((need) => abilityOf(need) ?? []);
  return ability === undefined ? undefined : deviceTypeOf(ability);
};

/** The options of inputs that decode on a device. */
const HWACCEL: ReadonlySet<string> = new Set(['hwaccel', 'hwaccel_output_format']);

/** The request that runs without hardware devices: with each `fallback`, and inputs decoded by the processor. undefined without fallback. */
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

/** The field of the original request for a field of the request that `fallbackOf` returns. */
export function fieldOfFallback(request: ConversionRequest, field: string): string {
  const [, index = '', rest] = /^\/outputs\/(\d+)\/parameters(\/.*)?$/.exec(field) ?? [];
  if (rest !== undefined && request.outputs?.[Number(index)]?.fallback !== undefined)
    return `/outputs/${index}/fallback${rest}`;
  return request.fallback === undefined ? field : field.replace(/^\/parameters(?=\/|$)/, '/fallback');
}
