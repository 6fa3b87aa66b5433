/** A hardware device that the operator allows. */
export interface DeviceSetting {
  readonly type: 'cuda' | 'vaapi';
  /** `cuda`: the number of the graphics card. `vaapi`: the absolute path of the device. */
  readonly name: string;
  /** How many conversions may use it at the same time. */
  readonly sessions: number;
}

export const DEVICES_FORM = 'none, or a list such as vaapi:/dev/dri/renderD128,cuda:0=4';

/** Other names that operators may use, and the device type that each means. */
const MEANT: Readonly<Record<string, string>> = { nvenc: 'cuda', nvidia: 'cuda', nvdec: 'cuda', va: 'vaapi' };

/** Reads `none` or a list of devices. Throws an `Error` that quotes the wrong part. */
export function readDevices(text: string): readonly DeviceSetting[] {
  if (text === 'none') return [];
  const devices = text.split(',').flatMap((part) => (part.trim() === '' ? [] : [readDevice(part.trim())]));
  const names = devices.map(({ type, name }) => `${type}:${name}`);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`has "${repeated}" twice`);
  return devices;
}

function readDevice(part: string): DeviceSetting {
  const [, type = '', name = '', count = '2'] = /^([a-z]+):([^=]*)(?:=(\d{1,2}))?$/.exec(part) ?? [];
  const sessions = Number(count);
  if (sessions < 1 || sessions > 64)
    throw new Error(`has ${JSON.stringify(part)}; send a number from 1 to 64 after "="`);
  if (type === 'cuda' && /^\d{1,2}$/.test(name)) return { type, name, sessions };
  if (type === 'vaapi' && /^\/dev\/(?:[\w-]+\/)*[\w-]+$/.test(name)) return { type, name, sessions };
  const meant = MEANT[type];
  const fix = meant === undefined ? DEVICES_FORM : `"${meant}:${name}"`;
  throw new Error(`has ${JSON.stringify(part)}, which is not a device; send ${fix}`);
}
