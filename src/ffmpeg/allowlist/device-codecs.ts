import type { FieldError } from '../../domain/problem.ts';

/** Suffixes of encoders and decoders that open a hardware device or load its driver. */
const DEVICE =
  /_(?:v4l2m2m|vaapi|qsv|nvenc|cuvid|nvdec|omx|amf|videotoolbox|mediacodec|vulkan|d3d12va|vdpau|rkmpp|mmal|crystalhd)$/i;

export const isDeviceCodec = (name: string): boolean => DEVICE.test(name);

const needsDevice = (name: string, fix: string): Omit<FieldError, 'field'> => ({
  code: 'NEEDS_DEVICE',
  message: `"${name.slice(0, 64)}" needs a hardware device; conversions cannot use one.`,
  fix,
});

/** The software encoder of the same codec as a hardware encoder. Undefined for a software encoder, or if there is none. */
export function softwareEncoder(
  name: string,
  encoders: ReadonlyMap<string, { readonly codec: string }>,
): string | undefined {
  if (!isDeviceCodec(name)) return undefined;
  const codec = encoders.get(name)?.codec ?? name.replace(DEVICE, '');
  return [...encoders].find(([other, encoder]) => encoder.codec === codec && !isDeviceCodec(other))?.[0];
}

/**
 * Returns the error for a hardware encoder, or undefined for a software encoder. The fix suggests a software encoder of
 * the same codec.
 */
export function deviceEncoderError(
  name: string,
  encoders: ReadonlyMap<string, { readonly codec: string }>,
): Omit<FieldError, 'field'> | undefined {
  if (!isDeviceCodec(name)) return undefined;
  const software = softwareEncoder(name, encoders);
  return needsDevice(name, software === undefined ? 'Send a software encoder.' : `Send "${software}".`);
}

export const deviceDecoderError = (name: string): Omit<FieldError, 'field'> | undefined =>
  isDeviceCodec(name) ? needsDevice(name, 'Leave it out: ffmpeg chooses a software decoder.') : undefined;
