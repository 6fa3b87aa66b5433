import type { FieldError } from '../../../domain/problem.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import { checkEncoder } from '../encoders/check-encoder.ts';
import type { ArgvOption } from '../request/resolve-options.ts';
import { isStreamSpecifier, STREAM_SPECIFIERS } from '../request/specifiers.ts';

/** What can only be told of output options: that encoders exist, and that maps name inputs that are there. */
export function checkCodecsAndMaps(
  options: readonly ArgvOption[],
  inputs: number,
  catalogue: Catalogue,
  errors: FieldError[],
): void {
  for (const { name, field, values } of options) {
    if (name.name === 'c')
      for (const value of values) {
        const fault = checkEncoder(name.specifier, value, catalogue);
        if (fault !== undefined) errors.push({ field, ...fault });
      }
    else if (name.name === 'map' || name.name === 'map_metadata' || name.name === 'map_chapters')
      for (const value of values) {
        // A leading "-" of a map takes streams away again; the "-1" of the others means none.
        const streams = name.name === 'map' ? /^-?\d+:(.+?)\??$/.exec(value)?.[1] : undefined;
        if (streams !== undefined && !isStreamSpecifier(streams) && !NEWER.test(streams))
          errors.push({ field, ...badSpecifier(streams) });
        const index = (name.name === 'map' ? /^-?(\d+)/ : /^(\d+)/).exec(value)?.[1];
        if (index !== undefined && Number(index) >= inputs) errors.push(noSuchInput(field, value, inputs));
      }
  }
}

/** Specifiers of ffmpeg 7 and later: dispositions, groups, views. */
const NEWER = /(?:^|:)(?:disp|g|view|vidx|vpos):/;

const badSpecifier = (streams: string): Omit<FieldError, 'field'> => ({
  code: 'BAD_SPECIFIER',
  message: `"${streams.slice(0, 64)}" does not name streams.`,
  allowed: STREAM_SPECIFIERS,
});

const noSuchInput = (field: string, value: string, inputs: number): FieldError => ({
  field,
  code: 'NO_SUCH_INPUT',
  message: `"${value.slice(0, 64)}" names an input that the request does not have.`,
  allowed: [inputs === 1 ? '0' : `0 to ${inputs - 1}`],
  fix: 'Inputs are counted from 0, in the order of "inputs".',
});
