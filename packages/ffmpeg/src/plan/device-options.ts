import { type DeviceType, deviceTypeOf } from '@telecine/contract/domain/devices.ts';
import { addOption, leaveOut, orElse, sendValue } from '@telecine/contract/domain/edit.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import {
  isDeviceCodec,
  isDeviceFilter,
  returnsDeviceFrames,
  takesDeviceFrames,
  usableTypes,
} from '../allowlist/device-components.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Graph, type GraphChain, printGraph } from '../filtergraph/graph.ts';
import { quoted } from '../values/value-error.ts';
import { newFilter } from './checks/suggested-graph.ts';
import type { StreamEncoders } from './encoders/stream-encoders.ts';
import { type ArgvOption, allFilters, hasKey, lastValue, sentName, serviceOption } from './request/argv-option.ts';
import type { ArgvInput } from './request/resolve-inputs.ts';

/**
 * Moves frames to the memory that the encoder reads. VA-API encoders read only frames on the device, so their filters
 * end with an upload, which skips frames that are already there. NVENC reads frames from both. `pix_fmt` becomes the
 * format of the upload. Conversions that ffmpeg cannot do are added to `errors`.
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

/** Returns the format in which frames are uploaded, for a `pix_fmt` that is usual with a hardware encoder. */
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
      message: `"${sentName(pixFmt)}" before an encoder of VA-API is the format that is uploaded to the device, not ${quoted(wanted)}.`,
      allowed: ['nv12', 'p010le'],
      fix: orElse(sendValue('nv12'), '"p010le" for ten bits'),
    });
  // Device names such as `vaapi` are also formats. With such a format, frames that are already on the device pass
  // unchanged.
  const formats = { key: 'pix_fmts', value: `${format ?? 'nv12'}|vaapi` };
  return [newFilter('format', { options: [formats] }), newFilter('hwupload')];
}

/**
 * Appends the upload to the filters of the streams that `specifier` matches. Filters that end on the device stay
 * unchanged.
 */
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

/** Whether all graphs of an option output frames on a device. Only their last filters are checked. */
const endsOnDevice = ({ checkedGraphs = [] }: ArgvOption): boolean =>
  checkedGraphs.length > 0 &&
  checkedGraphs.every(({ chains }) => returnsDeviceFrames(chains.at(-1)?.at(-1)?.name ?? ''));

const framesInMemory = (complex: ArgvOption, codec: ArgvOption | undefined): FieldError => ({
  field: complex.field,
  code: 'NEEDS_UPLOAD',
  message: `${quoted(codec?.values[0] ?? '')} takes frames that are on its device, but the last filter leaves them in memory.`,
  fix: 'End the graph with "format=nv12,hwupload" before the label of the video, or use a software encoder.',
});

/** Rejects decoded frames that stay on the device if the next filter or encoder reads only frames in memory. */
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
        message: `"hwaccel_output_format": "${type}" needs a decoder on that device.`,
        fix: addOption('hwaccel', type),
      });
      continue;
    }
    const wrong = unfitReader(options, type, encoders);
    if (wrong !== undefined)
      errors.push({
        field: format.field,
        code: 'FRAMES_ON_DEVICE',
        message: `"hwaccel_output_format" keeps decoded frames on the device, but ${wrong} takes frames in memory.`,
        fix: orElse(leaveOut('hwaccel_output_format'), 'begin the filters with "hwdownload,format=nv12"'),
      });
  }
}

/**
 * Returns the first filter or encoder that reads the decoded frames, if it cannot read frames on a device of this type.
 * Skips complex graphs.
 */
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

/** The device that a run of ffmpeg uses. */
export interface UsedDevice {
  readonly type: DeviceType;
  /** What the worker's device must support: its type, and the encoders of the run that use the device. Sorted. */
  readonly abilities: readonly string[];
}

/**
 * Returns the device that an output and its inputs use, or undefined. Adds an error if they use devices of several
 * types.
 */
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
      fix: 'Use decoders, filters and encoders of one type.',
    });
  return { type, abilities: [...new Set([type, ...onDevice])].sort() };
}

/** The input options whose value can name a device type or a decoder that runs on a device. */
const DECODING: ReadonlySet<string> = new Set(['hwaccel', 'hwaccel_output_format', 'c']);

/** The name of the device in an argv. */
const NAME = 'hw';

/** The logical name of a VA-API device. A CUDA device needs no name: ffmpeg sees only the device that it may use. */
export const VAAPI_DEVICE = 'dev/vaapi';

/** Returns the arguments that open the device for decoders, filters and encoders. */
export const deviceArgs = (type: DeviceType | undefined): readonly string[] =>
  type === undefined ? [] : ['-init_hw_device', type === 'cuda' ? `cuda=${NAME}` : `vaapi=${NAME}:${VAAPI_DEVICE}`];
