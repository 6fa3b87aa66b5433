import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import { CATALOGUE } from './planning.ts';

/**
 * The recorded catalogue as if a worker had a device with these abilities. Debian's ffmpeg has the encoders, decoders and
 * filters of both types, so their options are those of a real build; the machine of the tests has no device.
 */
export const withAbilities = (...abilities: readonly string[]): Catalogue => ({
  ...CATALOGUE,
  devices: new Set(abilities),
});

/** A card of NVIDIA, and a device with VA-API. */
export const NVIDIA = withAbilities('cuda', 'h264_nvenc', 'hevc_nvenc');
export const VAAPI = withAbilities('vaapi', 'h264_vaapi', 'hevc_vaapi', 'mjpeg_vaapi');
