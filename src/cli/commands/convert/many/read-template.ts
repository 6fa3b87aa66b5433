import { stat } from 'node:fs/promises';
import { shellWord } from '../../../../domain/shell-word.ts';
import { usageError } from '../../../session/usage-error.ts';
import { isTemplate, templateIn } from './output-template.ts';

/** The template of `--to`. Throws `CommandFailed` if the format of outputs in a folder is missing. */
export async function readTemplate(to: string, format: string | undefined): Promise<string> {
  if (isTemplate(to)) return to;
  const looksLikeFile = /[^/.][^/]*\.[^./]+$/.test(to) && !(await stat(to).catch(() => undefined))?.isDirectory();
  if (looksLikeFile)
    throw usageError(
      'NOT_A_FOLDER',
      `--to ${to} would be the name of all outputs.`,
      `Name a folder: --to ${shellWord(`${to.replace(/[^/]*$/, '') || 'out/'}`)}, or all files: --to '${to.replace(/[^/]*(?=\.[^.]*$)/, '{name}')}'.`,
    );
  if (format === undefined)
    throw usageError(
      'NO_FORMAT',
      '--to names a folder, and the format of the outputs is missing.',
      `Add their format, such as -f mp4. Or name them: --to '${to.replace(/\/$/, '')}/{name}.mp4'.`,
    );
  return templateIn(to, format);
}
