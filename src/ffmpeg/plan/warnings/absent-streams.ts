import { leaveOut, orElse } from '../../../domain/edit.ts';
import type { Warning } from '../../../domain/plan.ts';
import { holdsNoSound, holdsNoVideo, holdsOnlyCover } from '../../allowlist/containers.ts';
import { type Catalogue, encoderNamed } from '../../catalogue/catalogue.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

/** Options for one kind of stream. An option with a specifier is for the kind that its first letter names. */
const KIND_OF_OPTION: Readonly<Record<string, Letter>> = {
  ...{ r: 'v', s: 'v', pix_fmt: 'v', aspect: 'v', fps_mode: 'v' },
  ...{ ar: 'a', ac: 'a', sample_fmt: 'a', ch_layout: 'a' },
};
/** All of them, and those that are for one kind with a specifier. */
export const FOR_ONE_KIND: ReadonlySet<string> = new Set([
  ...Object.keys(KIND_OF_OPTION),
  'c',
  'filter',
  'b',
  'q',
  'frames',
]);

type Letter = 'v' | 'a';
const NAMES = { v: 'video', a: 'sound' } as const;

/** Codecs of cover pictures. */
const COVER_CODECS: ReadonlySet<string> = new Set(['mjpeg', 'png', 'gif', 'bmp', 'tiff', 'webp', 'jpegxl']);

/** Warns about options for streams that the output cannot have: `c:v` for an MP3, `b:a` with `an`. */
export function absentStreams(options: readonly ArgvOption[], muxer: string, catalogue: Catalogue): readonly Warning[] {
  const keys = new Set(options.map(({ key }) => key));
  const reason = (kind: Letter, { name, values }: ArgvOption): string | undefined => {
    const removing = `${kind}n`;
    if (keys.has(removing)) return `"${removing}" removes the ${NAMES[kind]}.`;
    if (kind === 'a') return holdsNoSound(muxer) ? `the format ${muxer} holds no sound.` : undefined;
    if (holdsNoVideo(muxer)) return `the format ${muxer} holds no video.`;
    const codec = name.name === 'c' ? encoderNamed(catalogue, values[0] ?? '')?.codec : undefined;
    if (codec === undefined || COVER_CODECS.has(codec) || !holdsOnlyCover(muxer)) return undefined;
    return `the format ${muxer} holds no video, only a cover picture.`;
  };
  return options.flatMap((option) => {
    const { field } = option;
    const key = sentName(option);
    const kind = kindOf(option);
    const because = kind && reason(kind, option);
    if (kind === undefined || because === undefined) return [];
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: `"${key}" has no effect: ${because}`,
        fix: keys.has(`${kind}n`)
          ? orElse(leaveOut(`${kind}n`), leaveOut(key))
          : orElse(leaveOut(key), `send an output of a format that holds ${NAMES[kind]}`),
      },
    ];
  });
}

/**
 * Warns about an output of which nothing is left: `vn` for a picture, `an` for a sound. The job will fail, and with it all outputs of its
 * run. A filtergraph can have outputs that these options do not remove.
 */
export function nothingLeft(options: readonly ArgvOption[], muxer: string): readonly Warning[] {
  if (options.some(({ name }) => name.name === 'filter_complex' || isOfSubtitles(name))) return [];
  const removing = options.find(
    ({ key }) => (key === 'vn' && holdsNoSound(muxer)) || (key === 'an' && holdsNoVideo(muxer)),
  );
  if (removing === undefined) return [];
  const { key, field } = removing;
  return [
    {
      field,
      code: 'NOTHING_LEFT',
      message: `"${key}" removes the ${key === 'vn' ? NAMES.v : NAMES.a}, and the format ${muxer} holds nothing else. The job will fail.`,
      fix: orElse(leaveOut(key), 'leave this output out'),
    },
  ];
}

/** Options for subtitles, which formats of raw data hold too. */
const isOfSubtitles = ({ name, specifier = '' }: ArgvOption['name']): boolean =>
  (name === 'c' || name === 'bsf') && /^s(?=:|$)/.test(specifier);

/** The kind of streams that an option is for, if it is for one. */
export function kindOf({ name: { name, specifier } }: ArgvOption): Letter | undefined {
  if (specifier === undefined) return KIND_OF_OPTION[name];
  const letter = /^[vVa](?=:|$)/.exec(specifier)?.[0].toLowerCase() as Letter | undefined;
  return FOR_ONE_KIND.has(name) ? letter : undefined;
}
