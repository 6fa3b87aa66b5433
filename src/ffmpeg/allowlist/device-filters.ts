import { type DeviceType, deviceTypeOf } from '../../domain/devices.ts';
import type { Hint } from '../../domain/hint.ts';

/**
 * Filters on hardware devices, reviewed like those of `FILTERS`: they process frames on the device that the service opened, and
 * open no other one. Not among them: `hwmap` and `hwupload=derive_device`, which open devices of other types.
 */
const DEVICE_FILTERS: ReadonlySet<string> = new Set(
  (
    'hwupload hwdownload hwupload_cuda scale_cuda yadif_cuda bwdif_cuda scale_vaapi deinterlace_vaapi transpose_vaapi ' +
    'procamp_vaapi denoise_vaapi sharpness_vaapi'
  ).split(' '),
);

export const DEVICE_FILTER_NAMES: readonly string[] = [...DEVICE_FILTERS];

/** Whether a filter is one of those on devices, whether or not a worker has a device for it. */
export const isDeviceFilter = (name: string): boolean => DEVICE_FILTERS.has(name);

/** Whether requests may use a filter on a device. `devices`: what the workers have, see `deviceAbilities`. */
export function isUsableDeviceFilter(name: string, devices: ReadonlySet<string> | undefined): boolean {
  if (!DEVICE_FILTERS.has(name) || devices === undefined) return false;
  const type = deviceTypeOf(name);
  return type === undefined ? devices.size > 0 : devices.has(type);
}

/** The software filters that do the same. */
const SOFTWARE: Readonly<Record<string, string>> = {
  scale_cuda: 'scale',
  scale_vaapi: 'scale',
  yadif_cuda: 'yadif',
  bwdif_cuda: 'bwdif',
  deinterlace_vaapi: 'yadif',
  transpose_vaapi: 'transpose',
  procamp_vaapi: 'eq',
  denoise_vaapi: 'hqdn3d',
  sharpness_vaapi: 'unsharp',
};

/** Returns why a filter on a device is rejected where no worker has such a device, or undefined for other filters. */
export function deviceFilterRejection(name: string): { readonly why: string; readonly fix: Hint } | undefined {
  if (!DEVICE_FILTERS.has(name)) return undefined;
  const type: DeviceType | undefined = deviceTypeOf(name);
  const software = SOFTWARE[name];
  return {
    why: `needs a hardware device${type === undefined ? '' : ` of type "${type}"`}, and the operator has allowed none`,
    fix: software === undefined ? 'Leave this filter out.' : `Use the software filter "${software}".`,
  };
}

/** Whether the frames that a filter returns are in the memory of a device. */
export const returnsDeviceFrames = (name: string): boolean => name !== 'hwdownload' && DEVICE_FILTERS.has(name);

/** Whether a filter takes frames in the memory of a device. `hwupload` takes both kinds. */
export const takesDeviceFrames = (name: string): boolean => name !== 'hwupload_cuda' && DEVICE_FILTERS.has(name);
