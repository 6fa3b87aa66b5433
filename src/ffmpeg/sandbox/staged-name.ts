import { basename, dirname, join, relative, sep } from 'node:path';
import { FONTS_FOLDER } from '../../domain/font-files.ts';

/** Whether `path`, a result of `path.relative(folder, …)`, is below the folder. */
export const isBelow = (path: string): boolean => path !== '' && path !== '..' && !path.startsWith(`..${sep}`);

/**
 * Returns the name in the scratch folder `dir` of what the sandbox shows of a staged file: of a sequence its folder, such
 * as `in/0`, else the file. A font is shown alone, because others of its folder can be files of the media root. undefined
 * if the file is not in the scratch folder.
 */
export function stagedName(dir: string, hostPath: string): string | undefined {
  const path = relative(join(dir, 'in'), hostPath);
  if (!isBelow(path)) return undefined;
  const name = `in/${path}`;
  return dirname(name) === FONTS_FOLDER ? join(FONTS_FOLDER, basename(name)) : `in/${path.split(sep)[0]}`;
}
