import { addIn, type Edits, leaveOut, orElse } from '../../../domain/edit.ts';
import { extension } from '../../../domain/media-path.ts';
import type { FieldError } from '../../../domain/problem.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import { longCrossfade } from '../request/duration-field.ts';
import { fileKind } from '../request/file-kind.ts';
import { hasCounter, isPictureExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { Slide } from './slideshow-graph.ts';

/** Rejects crossfades in a request that is not a slideshow. */
export function rejectCrossfades(
  inputs: readonly Pick<ArgvInput, 'crossfade'>[],
  errors: FieldError[],
  isAlone = inputs.length < 2,
): void {
  for (const { crossfade } of inputs)
    if (crossfade !== undefined)
      errors.push({
        field: crossfade.field,
        code: 'NO_SLIDESHOW',
        message:
          '"crossfade" works with "join": "encode", and in a slideshow: every picture has a "duration", and there is no "map" or video filter.',
        fix: isAlone
          ? leaveOut('crossfade', 'there is no input before this one')
          : orElse(addIn('request', 'join', 'encode'), leaveOut('crossfade')),
      });
}

const PICTURE_SOURCE: Omit<FieldError, 'field'> = {
  code: 'NOT_A_STILL',
  message: 'A slideshow shows pictures that are files, and this source makes a film.',
  fix: {
    ...addIn('request', 'join', 'encode'),
    why: 'it shows sources, pictures and films one after the other',
  },
};

/** Rejects an input without `duration` that cannot be part of a slideshow. Sounds and subtitles can. */
export function rejectOtherInput({ source, crossfade, made }: ArgvInput, errors: FieldError[]): void {
  const { path, field, url } = source;
  const alternative = 'or place it yourself with "filter_complex" and "map".';
  if (crossfade !== undefined) rejectCrossfades([{ crossfade }], errors, false);
  if (made?.kind === 'audio') return;
  if (made !== undefined) errors.push({ field, ...PICTURE_SOURCE });
  else if (isPictureExtension(extension(path)) || (url === undefined && hasCounter(path)))
    errors.push({
      field,
      code: 'NEEDS_DURATION',
      message: 'This picture has no "duration". The other pictures have one, which makes the request a slideshow.',
      fix: `Send it as {"input": "…", "duration": "3"}, ${alternative}`,
    });
  else if (fileKind(extension(path)) === 'video')
    errors.push({
      field,
      code: 'NOT_A_STILL',
      message: 'A slideshow cannot contain a video. Pictures with a "duration", sounds and subtitles are allowed.',
      fix: `Send its sound as a separate file, ${alternative}`,
    });
}

export function rejectCopy(options: readonly ArgvOption[], errors: FieldError[]): void {
  for (const { key, field, values } of options)
    if (/^c(?:$|:[vV0])/.test(key) && values.includes('copy'))
      errors.push({
        field,
        code: 'NEEDS_ENCODER',
        message: 'The pictures of a slideshow are re-encoded; "copy" is not allowed.',
        fix: 'Send an encoder, such as "c:v": "libx264". For the sound, "c:a": "copy" is allowed.',
      });
}

/** Rejects options that cannot apply to several sounds. */
export function rejectSoundOptions(options: readonly ArgvOption[], errors: FieldError[]): void {
  for (const { key, field, values } of options)
    if (key.startsWith('filter:a') || (key.startsWith('c:a') && values.includes('copy')))
      errors.push({
        field,
        code: 'SEVERAL_SOUNDS',
        message: 'The sounds of a slideshow are joined into one, so they cannot be copied or filtered one by one.',
        fix: 'Send a single sound, or place each with "filter_complex" and "map".',
      });
}

/** Checks that each crossfade fits between its two pictures. `slides` contains one entry for each of `pictures`. */
export function checkCrossfades(pictures: readonly ArgvInput[], slides: readonly Slide[], errors: FieldError[]): void {
  for (const [i, { crossfade }] of pictures.entries()) {
    if (crossfade === undefined) continue;
    const fail = (message: string, fix: Edits = orElse(leaveOut('crossfade'), 'send a shorter one')): void =>
      void errors.push({ field: crossfade.field, code: 'BAD_CROSSFADE', message, fix });
    const previous = slides[i - 1];
    const slide = slides[i];
    const tooLong = longCrossfade(crossfade.seconds, crossfade.field, '1');
    if (previous === undefined || slide === undefined)
      fail('The first picture cannot have a crossfade: there is no picture before it.', leaveOut('crossfade'));
    else if (tooLong !== undefined) errors.push(tooLong);
    else if (slide.crossfade > slide.frames || previous.crossfade + slide.crossfade > previous.frames)
      fail('The crossfades of a picture are longer than its duration.');
  }
}
