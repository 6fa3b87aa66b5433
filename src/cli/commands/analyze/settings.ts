import { InvalidArgumentError } from 'commander';

/** Settings by measurement and name: `{silence: {noiseDb: -50}}`. The service checks them. */
export type Settings = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Adds `silence.noiseDb=-50`. The last value of a name counts. Throws an error that commander prints. */
export function addSetting(text: string, before: Settings = {}): Settings {
  const [, measurement = '', name = '', number = ''] = /^([a-z]+)\.([A-Za-z]+)=(-?\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (number === '')
    throw new InvalidArgumentError('Write it as measurement.name=number, such as silence.noiseDb=-50.');
  return { ...before, [measurement]: { ...before[measurement], [name]: Number(number) } };
}
