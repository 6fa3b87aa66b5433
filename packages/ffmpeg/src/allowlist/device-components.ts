import { DEVICE_TYPES, type DeviceType, deviceTypeOf } from '@telecine/contract/domain/devices.ts';
import type { FieldError } from '@telecine/contract/domain/problem.ts';
import { wordSet } from './words.ts';

/** The suffixes of encoders and decoders that open a hardware device or load its driver. */
const DEVICE =
  /_(?:v4l2m2m|vaapi|qsv|nvenc|cuvid|nvdec|omx|amf|videotoolbox|mediacodec|vulkan|d3d12va|vdpau|rkmpp|mmal|crystalhd)$/i;

export const isDeviceCodec = (name: string): boolean => DEVICE.test(name);

/** The abilities of the workers' devices: see `deviceAbilities`. undefined: no worker has a device. */
type Devices = ReadonlySet<string> | undefined;

type Codecs = ReadonlyMap<string, { readonly codec: string }>;

/** True if requests may use the encoder: it is a software encoder, or a device of a worker offers it. */
export const isUsableEncoder = (name: string, devices: Devices): boolean =>
  !isDeviceCodec(name) || devices?.has(name) === true;

/** True for software decoders, and if a worker has a device of the decoder's type. The job fails if that device lacks it. */
export function isUsableDecoder(name: string, devices: Devices): boolean {
  const type = deviceTypeOf(name);
  return !isDeviceCodec(name) || (type !== undefined && devices?.has(type) === true);
}

/** The error for a codec that no worker's device offers. */
function needsDevice(name: string, devices: Devices): Omit<FieldError, 'field'> {
  const type = deviceTypeOf(name);
  const reason =
    type === undefined
      ? 'of a type that conversions cannot use'
      : devices?.has(type)
        ? `and the devices of type "${type}" that the operator has allowed do not offer it`
        : `of type "${type}", and the operator has allowed none`;
  return { code: 'NEEDS_DEVICE', message: `"${name.slice(0, 64)}" needs a hardware device ${reason}.` };
}

/** The software encoder with the codec of a hardware encoder. undefined: `name` is a software encoder, or there is none. */
function softwareEncoder(name: string, encoders: Codecs): string | undefined {
  if (!isDeviceCodec(name)) return undefined;
  const codec = encoders.get(name)?.codec ?? name.replace(DEVICE, '');
  return [...encoders].find(([other, encoder]) => encoder.codec === codec && !isDeviceCodec(other))?.[0];
}

/**
 * The error for a hardware encoder that no worker can use. Allowed are a software encoder of the same codec, and the hardware encoders of
 * this codec that workers offer. undefined: the encoder can be used.
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
  return {
    ...needsDevice(name, devices),
    ...(others.length > 0 && { allowed: others }),
    ...(software !== undefined && { nearest: { given: name, names: [software], is: 'value' as const } }),
  };
}

/** The error for a hardware decoder of a type that no worker has. undefined: the decoder can be used. */
export const deviceDecoderError = (name: string, devices?: Devices): Omit<FieldError, 'field'> | undefined =>
  isUsableDecoder(name, devices) ? undefined : needsDevice(name, devices);

/** The types of devices that requests may name. */
export const usableTypes = (devices: Devices): readonly string[] =>
  DEVICE_TYPES.filter((type) => devices?.has(type) === true);

/**
 * The allowed filters that run on a hardware device, reviewed. They use only the device that the service opened. `hwmap` and
 * `hwupload=derive_device` are missing, because they open devices of other types.
 */
export const DEVICE_FILTERS = wordSet(
  'hwupload hwdownload hwupload_cuda scale_cuda yadif_cuda bwdif_cuda scale_vaapi deinterlace_vaapi transpose_vaapi ' +
    'procamp_vaapi denoise_vaapi sharpness_vaapi',
);

/** True if the filter runs on a hardware device, even if no worker has a device. */
export const isDeviceFilter = (name: string): boolean => DEVICE_FILTERS.has(name);

/** True if the filter runs on a device that a worker has. */
export function isUsableDeviceFilter(name: string, devices: Devices): boolean {
  if (!DEVICE_FILTERS.has(name) || devices === undefined) return false;
  const type = deviceTypeOf(name);
  return type === undefined ? devices.size > 0 : devices.has(type);
}

/** Why a filter on a device is rejected if no worker has the device for it. undefined: `name` is not in `DEVICE_FILTERS`. */
export function deviceFilterRejection(name: string): string | undefined {
  if (!DEVICE_FILTERS.has(name)) return undefined;
  const type: DeviceType | undefined = deviceTypeOf(name);
  return `needs a hardware device${type === undefined ? '' : ` of type "${type}"`}, and the operator has allowed none`;
}

/** True if the filter outputs frames in the memory of a device. `hwdownload` outputs frames in normal memory. */
export const returnsDeviceFrames = (name: string): boolean => name !== 'hwdownload' && DEVICE_FILTERS.has(name);

/** True if the filter accepts frames in the memory of a device. `hwupload` accepts frames in either memory. */
export const takesDeviceFrames = (name: string): boolean => name !== 'hwupload_cuda' && DEVICE_FILTERS.has(name);
