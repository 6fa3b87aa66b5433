import type { FieldError } from '../../domain/problem.ts';

/** Endings of encoders and decoders that open a device or load its driver, whatever the build has of them. */
const DEVICE =
  /_(?:v4l2m2m|vaapi|qsv|nvenc|cuvid|nvdec|omx|amf|videotoolbox|mediacodec|vulkan|d3d12va|vdpau|rkmpp|mmal|crystalhd)$/i;

export const isDeviceCodec = (name: string): boolean => DEVICE.test(name);

const refused = (name: string, fix: string): Omit<FieldError, 'field'> => ({
  code: 'NEEDS_DEVICE',
  message: `"${name.slice(0, 64)}" works by a device of the machine, and conversions reach none.`,
  fix,
});

/** The refusal of such an encoder, with the one of `encoders` that does the same on the processor. */
export function deviceEncoderError(
  name: string,
  encoders: ReadonlyMap<string, { readonly codec: string }>,
): Omit<FieldError, 'field'> | undefined {
  if (!isDeviceCodec(name)) return undefined;
  const codec = encoders.get(name)?.codec ?? name.replace(DEVICE, '');
  const software = [...encoders].find(([other, encoder]) => encoder.codec === codec && !isDeviceCodec(other))?.[0];
  return refused(name, software === undefined ? 'Send an encoder that runs on the processor.' : `Send "${software}".`);
}

export const deviceDecoderError = (name: string): Omit<FieldError, 'field'> | undefined =>
  isDeviceCodec(name) ? refused(name, 'Leave it out: ffmpeg chooses a decoder that runs on the processor.') : undefined;
