import type { DeviceType } from '../../../domain/devices.ts';

/** The name of the device in an argv. */
const NAME = 'hw';

/**
 * The logical name of a VA-API device, in the working folder. A CUDA device has no name in an argv: ffmpeg sees only the one
 * that it may use.
 */
const VAAPI_DEVICE = 'dev/vaapi';

/** The arguments with which ffmpeg opens the device, for its decoders, filters and encoders. */
export const deviceArgs = (type: DeviceType | undefined): readonly string[] =>
  type === undefined ? [] : ['-init_hw_device', type === 'cuda' ? `cuda=${NAME}` : `vaapi=${NAME}:${VAAPI_DEVICE}`];
