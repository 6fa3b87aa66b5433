import type { ConversionRequest, InputSpec, OutputSpec, Parameters } from './conversion.ts';
import { type Origins, originsOf } from './origins.ts';
import type { Preset } from './recipe.ts';

/** The types of hardware devices that conversions can use. The names are ffmpeg's. */
export const DEVICE_TYPES = ['cuda', 'vaapi'] as const;

/** `cuda`: a graphics card of NVIDIA with NVENC encoders. `vaapi`: a device with a VA-API driver, such as devices of Intel and AMD. */
export type DeviceType = (typeof DEVICE_TYPES)[number];

/** A hardware device of a worker, as the worker reports it to other processes. */
export interface WorkerDevice {
  readonly type: DeviceType;
  /** The encoders that worked on the device when the worker started, sorted. Models of devices differ in their encoders. */
  readonly encoders: readonly string[];
  /** How many conversions can use the device at the same time. */
  readonly sessions: number;
}

/** The abilities of the devices of a worker: the names of their types and encoders. Empty without devices. */
export const deviceAbilities = (devices: readonly WorkerDevice[]): ReadonlySet<string> =>
  new Set(devices.flatMap(({ type, encoders }) => [type, ...encoders]).sort());

const NEED = 'device:';

/** The entry in the `needs` of a job for an ability of a device. */
export const deviceNeed = (ability: string): string => `${NEED}${ability}`;

/** The ability that an entry of `needs` asks for. undefined: the entry is not about a device. */
export const abilityOf = (need: string): string | undefined =>
  need.startsWith(NEED) ? need.slice(NEED.length) : undefined;

const SUFFIXES: readonly (readonly [RegExp, DeviceType])[] = [
  [/(?:^|_)(?:cuda|nvenc|cuvid)$/, 'cuda'],
  [/(?:^|_)vaapi$/, 'vaapi'],
];

/** The type of device that a codec, filter or ability uses, found by its name: `cuda` for `h264_nvenc`. undefined: it uses no device. */
export const deviceTypeOf = (name: string): DeviceType | undefined =>
  SUFFIXES.find(([pattern]) => pattern.test(name))?.[1];

/** The type of device that a job needs. undefined if it needs no device. */
export const neededDevice = (needs: readonly string[]): DeviceType | undefined => {
  const [ability] = needs.flatMap((need) => abilityOf(need) ?? []);
  return ability === undefined ? undefined : deviceTypeOf(ability);
};

/** Input options that select decoding on a device. */
const HWACCEL: ReadonlySet<string> = new Set(['hwaccel', 'hwaccel_output_format']);

/** The request without hardware devices: each `fallback` replaces the options, and the processor decodes. undefined: it has no fallback. */
export function fallbackOf(request: ConversionRequest): ConversionRequest | undefined {
  const { fallback, ...rest } = request;
  if (!hasFallback(request)) return undefined;
  const parameters = fallback ?? (rest.parameters && withoutDevice(rest.parameters));
  return {
    ...rest,
    origins: originsOfFallback(request),
    ...(fallback && rest.preset && { preset: withoutSize(rest.preset) }),
    ...(parameters && { parameters }),
    ...(rest.inputs && { inputs: rest.inputs.map(decodedByProcessor) }),
    ...(rest.outputs && { outputs: rest.outputs.map(outputFallback) }),
  };
}

/** The client sent the options of a fallback in `fallback`, of the request or of an output. */
function originsOfFallback(request: ConversionRequest): Origins {
  const { fallback, outputs = [] } = request;
  const bases = [
    ...(fallback === undefined ? [] : ['']),
    ...outputs.flatMap((one, index) => (one.fallback === undefined ? [] : [`/outputs/${index}`])),
  ];
  const kept = Object.entries(originsOf(request)).filter(([at]) =>
    bases.every((base) => !at.startsWith(`${base}/parameters/`)),
  );
  const own = bases.map((base) => [`${base}/parameters`, { field: `${base}/fallback` }] as const);
  return Object.fromEntries([...kept, ...own]);
}

/** The preset without the size that its output must not exceed: the bit rate for this size is replaced too. */
function withoutSize({ maxBytes: _, ...preset }: Preset): Preset {
  return preset;
}

/** Whether a request has a fallback for the case that no hardware device can run it. */
export const hasFallback = ({ fallback, outputs = [] }: ConversionRequest): boolean =>
  fallback !== undefined || outputs.some((one) => one.fallback !== undefined);

function outputFallback({ fallback, ...spec }: OutputSpec): OutputSpec {
  return fallback === undefined ? spec : { ...spec, parameters: fallback };
}

const decodedByProcessor = (input: string | InputSpec): string | InputSpec =>
  typeof input === 'string' || input.parameters === undefined
    ? input
    : { ...input, parameters: withoutDevice(input.parameters) };

/** The options of an input without options that select a device or a decoder on a device. */
const withoutDevice = (parameters: Parameters): Parameters =>
  Object.fromEntries(
    Object.entries(parameters).filter(
      ([name, value]) =>
        !HWACCEL.has(name) && !(typeof value === 'string' && /_cuvid$/.test(value) && deviceTypeOf(value)),
    ),
  );
