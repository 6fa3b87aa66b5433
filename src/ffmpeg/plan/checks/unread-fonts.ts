import { isFontFile } from '../../../domain/font-files.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { quoted } from '../../values/value-error.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** Rejects fonts that no filter reads: ffmpeg would open them as media. Other errors may be why no filter does. */
export function rejectUnreadFonts(opened: readonly ArgvInput[], errors: FieldError[]): void {
  if (errors.length > 0) return;
  for (const { source } of opened)
    if (isFontFile(source.path))
      errors.push({
        field: source.field,
        code: 'UNREAD_FONT',
        message: `No filter of the request reads the font ${quoted(source.path)}.`,
        fix: 'Send a filter that draws text: "subtitles" and "ass" find the fonts by their families, "drawtext=fontfile=" by their paths. Or leave the font out.',
      });
}
