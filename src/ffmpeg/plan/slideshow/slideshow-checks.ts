import { extension } from '../../../domain/media-path.ts';
import type { FieldError } from '../../../domain/problem.ts';
import { hasCounter, isPictureExtension } from '../request/format-names.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';
import type { ArgvOption } from '../request/resolve-options.ts';
import { slideFileKind } from './slide-kind.ts';
import type { Slide } from './slideshow-graph.ts';

/** The longest crossfade that ffmpeg takes. */
const MOST_CROSSFADE_SECONDS = 60;

/** Where there is no slideshow. */
export function rejectCrossfades(inputs: readonly ArgvInput[], errors: FieldError[]): void {
  for (const { crossfade } of inputs)
    if (crossfade !== undefined)
      errors.push({
        field: crossfade.field,
        code: 'NO_SLIDESHOW',
        message: 'Only pictures of a slideshow crossfade: each with a "duration", and no "map" or filter of video.',
        fix: 'Leave "crossfade" out, or use the filter "xfade" in your filtergraph.',
      });
}

/** What is no picture with a duration, and neither sound nor subtitles. */
export function rejectOtherInput({ source, crossfade }: ArgvInput, errors: FieldError[]): void {
  const { path, field } = source;
  const place = 'or say with "filter_complex" and "map" what becomes of it.';
  if (crossfade !== undefined) rejectCrossfades([{ source, options: [], crossfade }], errors);
  if (isPictureExtension(extension(path)) || hasCounter(path))
    errors.push({
      field,
      code: 'NEEDS_DURATION',
      message:
        'The other pictures of this request have a "duration" and make a slideshow; this one does not say how long it is shown.',
      fix: `Send it as {"input": "…", "duration": "3"}, ${place}`,
    });
  else if (slideFileKind(extension(path)) === 'video')
    errors.push({
      field,
      code: 'NOT_A_STILL',
      message: 'Pictures with a "duration" make a slideshow, which takes pictures, sounds and subtitles, and no video.',
      fix: `Send its sound as a file of its own, ${place}`,
    });
}

export function rejectCopy(options: readonly ArgvOption[], errors: FieldError[]): void {
  for (const { key, field, values } of options)
    if (/^c(?:$|:[vV0])/.test(key) && values.includes('copy'))
      errors.push({
        field,
        code: 'NEEDS_ENCODER',
        message: 'The pictures of a slideshow are drawn anew, so they cannot be copied.',
        fix: 'Send an encoder, such as "c:v": "libx264"; the sound may have "c:a": "copy".',
      });
}

/** Where there are several sounds. */
export function rejectSoundOptions(options: readonly ArgvOption[], errors: FieldError[]): void {
  for (const { key, field, values } of options)
    if (key.startsWith('filter:a') || (key.startsWith('c:a') && values.includes('copy')))
      errors.push({
        field,
        code: 'SEVERAL_SOUNDS',
        message: 'Several sounds are joined under the pictures, so they can neither be copied nor filtered one by one.',
        fix: 'Send one sound, or say with "filter_complex" and "map" what becomes of each.',
      });
}

/** `slides` are those of `shown`, one by one. */
export function checkCrossfades(shown: readonly ArgvInput[], slides: readonly Slide[], errors: FieldError[]): void {
  for (const [i, { crossfade }] of shown.entries()) {
    if (crossfade === undefined) continue;
    const fault = (message: string, fix = 'Leave "crossfade" out, or send a shorter one.'): void =>
      void errors.push({ field: crossfade.field, code: 'BAD_CROSSFADE', message, fix });
    const before = slides[i - 1];
    const own = slides[i];
    if (before === undefined || own === undefined)
      fault('There is no picture before this one that it could come in across.', 'Leave "crossfade" out here.');
    else if (crossfade.seconds > MOST_CROSSFADE_SECONDS)
      fault(`A crossfade takes ${MOST_CROSSFADE_SECONDS} seconds at most.`);
    else if (own.crossfade > own.frames || before.crossfade + own.crossfade > before.frames)
      fault('The crossfades of a picture take longer than it is shown.');
  }
}
