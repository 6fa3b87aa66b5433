import { DEVICE_TYPES, deviceTypeOf } from '../../domain/devices.ts';
import { leaveOut, sendValue } from '../../domain/edit.ts';
import type { Hint } from '../../domain/hint.ts';
import type { FieldError } from '../../domain/problem.ts';

/** Suffixes of encoders and decoders that open a hardware device or load its driver. */
const DEVICE =
  /_(?:v4l2m2m|vaapi|qsv|nvenc|cuvid|nvdec|omx|amf|videotoolbox|mediacodec|vulkan|d3d12va|vdpau|rkmpp|mmal|crystalhd)$/i;

export const isDeviceCodec = (name: string): boolean => DEVICE.test(name);

/** What the devices of the workers offer: see `deviceAbilities`. Absent if there are none. */
type Devices = ReadonlySet<string> | undefined;

type Codecs = ReadonlyMap<string, { readonly codec: string }>;

/** Whether requests may use an encoder: it needs no device, or a device of a worker has it. */
export const isUsableEncoder = (name: string, devices: Devices): boolean =>
  !isDeviceCodec(name) || devices?.has(name) === true;

/** Whether requests may use a decoder. On a device, a type decides: a decoder that it lacks fails when the job runs. */
export function isUsableDecoder(name: string, devices: Devices): boolean {
  const type = deviceTypeOf(name);
  return !isDeviceCodec(name) || (type !== undefined && devices?.has(type) === true);
}

/** Returns the error for a codec whose device no worker has. `others`: codecs on devices that workers have. */
function needsDevice(name: string, others: readonly string[], devices: Devices, fix: Hint): Omit<FieldError, 'field'> {
  const type = deviceTypeOf(name);
  const reason =
    type === undefined
      ? 'of a type that conversions cannot use'
      : devices?.has(type)
        ? `and those of type "${type}" that the operator has allowed cannot do it`
        : `of type "${type}", and the operator has allowed none`;
  return {
    code: 'NEEDS_DEVICE',
    message: `"${name.slice(0, 64)}" needs a hardware device ${reason}.`,
    ...(others.length > 0 && { allowed: others }),
    fix,
  };
}

/** The software encoder of the same codec as a hardware encoder. Undefined for a software encoder, or if there is none. */
export function softwareEncoder(name: string, encoders: Codecs): string | undefined {
  if (!isDeviceCodec(name)) return undefined;
  const codec = encoders.get(name)?.codec ?? name.replace(DEVICE, '');
  return [...encoders].find(([other, encoder]) => encoder.codec === codec && !isDeviceCodec(other))?.[0];
}

/**
 * Returns the error for a hardware encoder that no device of a worker has, or undefined for any other encoder. The fix
 * suggests a software encoder of the same codec; `allowed` has those of the same codec that work on devices.
 */
export function deviceEncoderError(
  name: string,
  encoders: Codecs,
  devices?: Devices,
): Omit<FieldError, 'field'> | undefined {
  if (isUsableEncoder(name, devices)) return undefined;
  const software = softwareEncoder(name, encoders);
  const codec = encoders.get(name)?.codec ?? name.replace(DEVICE, '');
  const others = [...(devices ?? [])].filter((one) => encoders.get(one)?.codec === codec);
  const fix = software === undefined ? 'Send a software encoder.' : sendValue(software);
  return needsDevice(name, others, devices, fix);
}

/** Returns the error for a decoder on a device that no worker has, or undefined for any other decoder. */
export const deviceDecoderError = (name: string, devices?: Devices): Omit<FieldError, 'field'> | undefined =>
  isUsableDecoder(name, devices)
    ? undefined
    : needsDevice(name, [], devices, leaveOut(undefined, 'ffmpeg chooses a software decoder'));

/** The types of devices that requests may name. */
export const usableTypes = (devices: Devices): readonly string[] =>
  DEVICE_TYPES.filter((type) => devices?.has(type) === true);
