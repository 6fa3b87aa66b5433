import { stat } from 'node:fs/promises';
import { shellWord } from '../../../../domain/shell-text.ts';
import { usageError } from '../../../session/usage-error.ts';
import { isTemplate, templateIn } from './output-template.ts';

/** Names of files with sound alone. */
const SOUND = /\.(?:aac|ac3|aiff?|amr|ape|flac|m4a|m4b|mka|mp2|mp3|oga|ogg|opus|wav|wma|wv)$/i;

/**
 * The template of `--to`. Throws `CommandFailed` if the format of outputs in a folder is missing; the example in its fix
 * fits `inputs`.
 */
export async function readTemplate(
  to: string,
  format: string | undefined,
  inputs: readonly string[] = [],
): Promise<string> {
  if (isTemplate(to)) return to;
  const looksLikeFile = /[^/.][^/]*\.[^./]+$/.test(to) && !(await stat(to).catch(() => undefined))?.isDirectory();
  if (looksLikeFile)
    throw usageError(
      'NOT_A_FOLDER',
      `--to ${to} would be the name of all outputs.`,
      `Name a folder: --to ${shellWord(`${to.replace(/[^/]*$/, '') || 'out/'}`)}, or all files: --to '${to.replace(/[^/]*(?=\.[^.]*$)/, '{name}')}'.`,
    );
  if (format === undefined) {
    const example = inputs.length > 0 && inputs.every((input) => SOUND.test(input)) ? 'mp3' : 'mp4';
    throw usageError(
      'NO_FORMAT',
      '--to names a folder, and the format of the outputs is missing.',
      `Add their format, such as -f ${example}. Or name them: --to '${to.replace(/\/$/, '')}/{name}.${example}'.`,
    );
  }
  return templateIn(to, format);
}
