import { sendOption } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { FormatField } from './format-field.ts';

/**
 * Warns about MPEG-2 video with AC-3, as on DVDs, in an `.mpg`: the muxer `mpeg` writes a system stream of MPEG-1, and `vob` the program stream of MPEG-2
 * (mpegenc.c, 5.1 to 8).
 */
export function programStream(
  encoders: StreamEncoders,
  { muxer, formatField }: { readonly muxer: string; readonly formatField: FormatField },
): readonly Warning[] {
  if (muxer !== 'mpeg') return [];
  const films = encoders.of('v');
  const isForDiscs = encoders.of('a').some(({ encoder }) => encoder === 'ac3');
  if (!isForDiscs || films.length === 0) return [];
  if (films.some(({ encoder }) => encoder !== 'mpeg2video')) return [];
  return [
    {
      field: formatField,
      code: 'UNUSUAL_VALUE',
      message:
        'The format "mpeg" is the system stream of MPEG-1. DVD programs read MPEG-2 video with AC-3 in a program stream.',
      fix: sendOption(formatField === '/parameters/f' ? 'f' : 'format', 'vob'),
    },
  ];
}
