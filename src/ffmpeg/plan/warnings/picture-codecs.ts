import { sendOption } from '../../../domain/edit.ts';
import { extension, type MediaPath } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';
import { findFormatByExtension } from '../request/format-names.ts';

/** Codecs of animations, for which another warning names the format. */
const ANIMATIONS: ReadonlySet<string> = new Set(['apng', 'gif', 'webp']);

/** Codecs of single pictures. Most programs recognise them by their content. */
const STILLS: ReadonlySet<string> = new Set(
  'mjpeg png bmp tiff jpeg2000 jpegls jpegxl ppm pgm pbm pam pfm targa dpx exr qoi sgi pcx xbm sunrast'.split(' '),
);

/**
 * Warns about an encoder of films for pictures: the muxer `image2` writes what it gets, so `c:v` of libx264 makes a `.jpg` of
 * H.264 that no program reads as a picture.
 */
export function pictureCodecs(
  options: readonly ArgvOption[],
  { muxer, path, catalogue }: { readonly muxer: string; readonly path: MediaPath; readonly catalogue: Catalogue },
): readonly Warning[] {
  if (muxer !== 'image2') return [];
  const name = extension(path);
  const format = findFormatByExtension(name, catalogue.lists.muxers);
  const picture = 'format' in format ? format.format.picture : undefined;
  const wanted = picture === undefined ? undefined : encoderNamed(catalogue, picture);
  if (picture === undefined || wanted === undefined) return [];
  return options.flatMap((option) => {
    const [value = ''] = option.values;
    const encoder = option.name.name === 'c' ? encoderNamed(catalogue, value) : undefined;
    if (encoder === undefined || encoder.kind !== 'video' || encoder.codec === wanted.codec) return [];
    if (ANIMATIONS.has(encoder.codec)) return [];
    return [
      {
        field: option.field,
        code: 'CODEC_NOT_HELD',
        message: STILLS.has(encoder.codec)
          ? `"${sentName(option)}": "${value}" writes a picture in ${encoder.codec} with the name of another format, ".${name}". Some programs trust the name.`
          : `"${sentName(option)}": "${value}" would write ${encoder.codec} into a .${name}, which programs cannot read as a picture.`,
        fix: sendOption(sentName(option), picture),
      },
    ];
  });
}
