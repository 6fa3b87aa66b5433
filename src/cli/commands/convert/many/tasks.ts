import { isUrl } from '../../../../domain/url-input.ts';
import type { ConversionOrder } from '../conversion-order.ts';
import { type FileLocation, serverPath } from '../file-location.ts';
import type { CommandInput } from '../inputs.ts';
import { outputOf } from './output-template.ts';

/** One of the conversions of a command with `--to`. */
export interface ConversionTask {
  /** The input as it was written. */
  readonly file: string;
  readonly order: ConversionOrder;
}

/** The conversions, one for each input. `common`: all of an order but its files. */
export const tasksOf = (
  inputs: readonly CommandInput[],
  template: string,
  common: Omit<ConversionOrder, 'inputs' | 'output'>,
): readonly ConversionTask[] =>
  inputs.map((input) => {
    return {
      file: textOf(input.location),
      order: { ...common, inputs: [input], output: outputOf(template, input.location) },
    };
  });

/** A location as it was written. */
export const textOf = ({ on, path }: FileLocation): string => (on === 'local' || isUrl(path) ? path : serverPath(path));
