import { type DeviceType, deviceTypeOf } from '@telecine/contract/domain/devices.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import {
  isDeviceCodec,
  isDeviceFilter,
  returnsDeviceFrames,
  takesDeviceFrames,
  usableTypes,
} from '../allowlist/device-components.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Graph, type GraphChain, newFilter, printGraph } from '../filtergraph/graph.ts';
import { quoted } from '../values/value-error.ts';
import type { StreamEncoders } from './encoders/stream-encoders.ts';
import { type ArgvOption, allFilters, hasKey, lastValue, sentName, serviceOption } from './request/argv-option.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';

/**
 * Adds filters that move frames to the memory from which the encoder reads. VA-API encoders read only frames on the device, so their
 * filters end with an upload, through which frames on the device pass unchanged. NVENC also reads frames from normal memory. `pix_fmt`
 * becomes the format of the upload. Adds an error if ffmpeg cannot move the frames.
 */
export function arrangeDeviceFrames(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  encoders: StreamEncoders,
  errors: FieldError[],
): readonly ArgvOption[] {
  checkDecodedFrames(options, inputs, encoders, errors);
  const onVaapi = options.filter(
    ({ name, values }) => name.name === 'c' && values.some((value) => deviceTypeOf(value) === 'vaapi'),
  );
  if (onVaapi.length === 0) return options;
  const upload = uploadFilters(options, errors);
  const kept = options.filter(({ name }) => name.name !== 'pix_fmt');
  const complex = kept.find(({ key }) => key === 'filter_complex');
  if (complex !== undefined) {
    if (!endsOnDevice(complex)) errors.push(framesInMemory(complex, onVaapi[0]));
    return kept;
  }
  return onVaapi.reduce<readonly ArgvOption[]>(
    (done, { name }) => withUpload(done, name.specifier ?? 'v', upload),
    kept,
  );
}

/** The format of the upload for a `pix_fmt` that clients usually send with hardware encoders. undefined: another `pix_fmt`. */
const uploadFormat = (pixelFormat: string): string | undefined =>
  /^(?:yuv420p|nv12)$/.test(pixelFormat)
    ? 'nv12'
    : /^(?:yuv420p10|p010)(?:le)?$/.test(pixelFormat)
      ? 'p010le'
      : undefined;

function uploadFilters(options: readonly ArgvOption[], errors: FieldError[]): GraphChain {
  const pixFmt = options.findLast(({ name }) => name.name === 'pix_fmt');
  const profile = lastValue('profile:v', options) ?? lastValue('profile', options);
  const wanted = pixFmt?.values[0]?.replace(/^\+/, '') ?? (profile === 'main10' ? 'p010le' : 'nv12');
  const format = uploadFormat(wanted);
  if (format === undefined && pixFmt !== undefined)
    errors.push({
      field: pixFmt.field,
      code: 'BAD_VALUE',
      message: `With an encoder of VA-API, "${sentName(pixFmt)}" is the format in which frames are uploaded to the device. It cannot be ${quoted(wanted)}.`,
      allowed: ['nv12', 'p010le'],
    });
  // The name of a device type (`vaapi`) is also a pixel format: that of frames on the device, which therefore pass unchanged.
  return [newFilter('format', { pix_fmts: `${format ?? 'nv12'}|vaapi` }), newFilter('hwupload')];
}

/** Appends the upload to the filters of the streams that `specifier` matches. Filters that already end on the device stay. */
function withUpload(options: readonly ArgvOption[], specifier: string, upload: GraphChain): readonly ArgvOption[] {
  const ofStream = (wanted: (own: string) => boolean) =>
    options.findLast(({ name }) => name.name === 'filter' && wanted(name.specifier ?? 'v'));
  const before = ofStream((own) => own === specifier) ?? ofStream((own) => own === 'v');
  const graph = before?.checkedGraphs?.[0];
  if (before !== undefined && endsOnDevice(before)) return options;
  const chains = graph?.chains ?? [[]];
  const uploaded: Graph = { ...graph, chains: [...chains.slice(0, -1), [...(chains.at(-1) ?? []), ...upload]] };
  const key = `filter:${specifier}`;
  const option: ArgvOption = {
    ...(before ?? serviceOption(key, [])),
    name: { name: 'filter', specifier },
    key,
    values: [printGraph(uploaded)],
    checkedGraphs: [uploaded],
  };
  return before?.key === key ? options.map((one) => (one === before ? option : one)) : [...options, option];
}

/** True if all graphs of an option output frames on a device, by their last filters. */
const endsOnDevice = ({ checkedGraphs = [] }: ArgvOption): boolean =>
  checkedGraphs.length > 0 &&
  checkedGraphs.every(({ chains }) => returnsDeviceFrames(chains.at(-1)?.at(-1)?.name ?? ''));

const framesInMemory = (complex: ArgvOption, codec: ArgvOption | undefined): FieldError => ({
  field: complex.field,
  code: 'NEEDS_UPLOAD',
  message: `${quoted(codec?.values[0] ?? '')} takes frames in the memory of its device, but the last filter outputs frames in normal memory. "format=nv12,hwupload" moves them.`,
});

/** Rejects frames that are decoded to the memory of the device if the next filter or encoder reads normal memory. */
function checkDecodedFrames(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  encoders: StreamEncoders,
  errors: FieldError[],
): void {
  for (const { options: own } of inputs) {
    const format = own.find(({ key }) => key === 'hwaccel_output_format');
    if (format === undefined || errors.some(({ field }) => field === format.field)) continue;
    const [type = ''] = format.values;
    const hwaccel = own.find(({ key }) => key === 'hwaccel');
    if (hwaccel?.values[0] !== type) {
      errors.push({
        field: format.field,
        code: 'MISSING',
        message: `"hwaccel_output_format": "${type}" needs "hwaccel": "${type}", which decodes on this device.`,
      });
      continue;
    }
    const wrong = unfitReader(options, type, encoders);
    if (wrong !== undefined)
      errors.push({
        field: format.field,
        code: 'FRAMES_ON_DEVICE',
        message: `"hwaccel_output_format" keeps decoded frames in the memory of the device, but ${wrong} takes frames in normal memory. "hwdownload,format=nv12" moves them.`,
      });
  }
}

/** The first filter or encoder after the decoder, if it cannot read frames on a device of this type. Complex graphs are not examined. */
function unfitReader(options: readonly ArgvOption[], type: string, encoders: StreamEncoders): string | undefined {
  if (hasKey(options, 'filter_complex')) return undefined;
  const filters = options.filter(({ name }) => name.name === 'filter' && (name.specifier ?? 'v').startsWith('v'));
  const first = filters[0]?.checkedGraphs?.[0]?.chains[0]?.[0];
  if (first !== undefined) {
    const isFormat = first.name === 'format' && first.options.some(({ value }) => value.split('|').includes(type));
    return takesDeviceFrames(first.name) || isFormat ? undefined : `the filter "${first.name}"`;
  }
  const encoder = encoders.of('v').find((one) => one.encoder !== undefined && deviceTypeOf(one.encoder) !== type);
  return encoder === undefined ? undefined : `"${encoder.encoder}"`;
}

export interface UsedDevice {
  readonly type: DeviceType;
  /** What the worker's device must offer: its type, and the encoders of the run that use it. Sorted. */
  readonly abilities: readonly string[];
}

/** The device that an output and its inputs use. undefined: they use none. Adds an error if they use devices of several types. */
export function usedDevice(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  encoders: StreamEncoders,
  { devices }: Catalogue,
  errors: FieldError[],
): UsedDevice | undefined {
  if (devices === undefined) return undefined;
  const codecs = encoders.of('v').flatMap(({ encoder }) => encoder ?? []);
  const onDevice = codecs.filter(isDeviceCodec);
  const filters = allFilters(options).filter(({ name }) => isDeviceFilter(name));
  const decoding = inputs.flatMap((input) => input.options.filter(({ name }) => DECODING.has(name.name)));
  const types = new Set(
    [...onDevice, ...filters.map(({ name }) => name), ...decoding.flatMap(({ values }) => values)].flatMap(
      (name) => deviceTypeOf(name) ?? [],
    ),
  );
  const [first, ...others] = types;
  const byFilter = filters.length > 0 ? (usableTypes(devices)[0] as DeviceType | undefined) : undefined;
  const type = first ?? byFilter;
  if (type === undefined) return undefined;
  if (others.length > 0)
    errors.push({
      field: decoding[0]?.field ?? options.find(({ name }) => name.name === 'c')?.field ?? '/parameters',
      code: 'EXCLUSIVE',
      message: `The request uses devices of several types: ${[...types].join(' and ')}. A conversion has one device.`,
    });
  return { type, abilities: [...new Set([type, ...onDevice])].sort() };
}

/** Input options whose value may be the type of a device or a decoder on a device. */
const DECODING: ReadonlySet<string> = new Set(['hwaccel', 'hwaccel_output_format', 'c']);

/** The device in an argv. */
const NAME = 'hw';

/** The logical name of a VA-API device. A CUDA device needs none: ffmpeg sees only the device that it may use. */
export const VAAPI_DEVICE = 'dev/vaapi';

/** Opens the device for decoders, filters and encoders. */
export const deviceArgs = (type: DeviceType | undefined): readonly string[] =>
  type === undefined ? [] : ['-init_hw_device', type === 'cuda' ? `cuda=${NAME}` : `vaapi=${NAME}:${VAAPI_DEVICE}`];
