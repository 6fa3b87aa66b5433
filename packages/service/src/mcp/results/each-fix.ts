import type { ConversionRequest } from '@telecine/contract/domain/conversion.ts';
import { editsText, sendMembers, withMore } from '@telecine/contract/domain/edit.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { wildcardAdvice } from '@telecine/contract/domain/wildcard.ts';

/** Recipes that combine several files into one output. They read the files that match a wildcard themselves. */
const READS_SEVERAL = /^(?:join|slideshow|side-by-side|pictures-to-video)/;

/**
 * Adds a fix to warnings about a missing input with a wildcard: to send `each`, which creates one job for each matching
 * file. Does nothing for requests that combine several files.
 */
export function withEach(warnings: readonly Warning[], request: ConversionRequest): readonly Warning[] {
  const { input, inputs, output, join, preset } = request;
  const [only, ...others] = inputs ?? [input];
  const isAlone = typeof only === 'string' && others.length === 0 && join === undefined;
  if (!isAlone || output === undefined || READS_SEVERAL.test(preset?.name ?? '')) return warnings;
  const advice = wildcardAdvice(only);
  // With a placeholder or wildcard in the output, the client wants one job for each file.
  const isOfEach = /\{\w+\}|\*/.test(output);
  if (advice === undefined || (advice.isSequence && !isOfEach)) return warnings;
  const field = inputs === undefined ? 'input' : 'inputs';
  const sent = withMore(sendMembers({ each: only, output: eachOutput(output, only) }), { do: 'remove', name: field });
  const fix = isOfEach
    ? sent
    : `For a job for each file, s${editsText(sent).slice(1)} For one video of all files, send them in "inputs" with "join": "encode".`;
  return warnings.map((one) =>
    one.code === 'INPUT_NOT_FOUND' && one.field === (inputs === undefined ? '/input' : '/inputs/0')
      ? { ...one, fix }
      : one,
  );
}

/**
 * Returns the output to send with `each`: with `{name}` instead of a wildcard or the file name. An output in the folder
 * of the inputs gets another name, so that it does not replace an input.
 */
function eachOutput(output: string, input: string): string {
  if (/\{\w+\}/.test(output)) return output.replace(/\{\w+\}/, '{name}');
  const folder = output.slice(0, output.lastIndexOf('/') + 1);
  const name = output.slice(folder.length);
  const extension = /\.\w+$/.exec(name)?.[0] ?? '';
  const meant = name.includes('*') ? name.replace('*', '{name}').replaceAll('*', '') : `{name}${extension}`;
  const isSame = folder === input.slice(0, input.lastIndexOf('/') + 1) && input.endsWith(extension);
  return `${folder}${isSame ? meant.replace('{name}', '{name}-out') : meant}`;
}
