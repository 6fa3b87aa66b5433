import { type DeviceType, deviceTypeOf } from '../../../domain/devices.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { isDeviceCodec, usableTypes } from '../../allowlist/device-codecs.ts';
import { isDeviceFilter } from '../../allowlist/device-filters.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import { type ArgvOption, allFilters } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** The device that a run of ffmpeg uses. */
export interface UsedDevice {
  readonly type: DeviceType;
  /** What the device has to offer: its type, and the encoders of the run that are on it. Sorted. */
  readonly abilities: readonly string[];
}

/** Returns the device that an output and its inputs use. undefined if they use none. Types that differ are an error. */
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

/** The input options whose value can name a type of device, or a decoder on one. */
const DECODING: ReadonlySet<string> = new Set(['hwaccel', 'hwaccel_output_format', 'c']);
