import { extension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { isFilmExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Warns about `itsoffset` on the only input: it moves all streams of the input together. */
export function shiftedInput(inputs: readonly ArgvInput[]): readonly Warning[] {
  const [only, ...others] = inputs;
  const option = only?.options.find(({ name }) => name.name === 'itsoffset');
  if (only === undefined || option === undefined || others.length > 0) return [];
  const { path } = only.source;
  // Subtitles alone are moved on purpose.
  if (!isFilmExtension(extension(path))) return [];
  const seconds = option.values[0] ?? '';
  const shifted = [path, { input: path, parameters: { itsoffset: seconds } }];
  return [
    {
      field: option.field,
      code: 'NO_EFFECT',
      message: '"itsoffset" moves picture and sound of its input together, so nothing changes between them.',
      fix: `To delay the sound, leave it out, and send "inputs": ${JSON.stringify(shifted)} and "map": ["0:v","1:a"] in "parameters".`,
    },
  ];
}
