import { addOption, type Edits, sendOption } from '../../../domain/edit.ts';
import type { Hint } from '../../../domain/hint.ts';
import type { Warning } from '../../../domain/plan.ts';
import { type ArgvOption, sentName } from '../request/argv-option.ts';

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Tags of the iTunes list, which MP4 stores. Source: libavformat/movenc.c, and tried with ffmpeg 5.1 and 7.1. */
const MP4 = words(
  'title artist album_artist composer album date comment genre copyright grouping lyrics description synopsis show ' +
    'episode_id network keywords episode_sort season_number media_type hd_video gapless_playback compilation track disc ' +
    'tmpo location creation_time timecode encoder encoding_tool',
);
/** Tags of QuickTime. */
const MOV = words(
  'title artist author album date comment genre copyright make model location keywords xmp creation_time timecode encoder',
);
/** Tags of RIFF (libavformat/riff.c). Their own names, such as `ISBJ`, have four capitals. */
const RIFF = words(
  'title artist album comment copyright date genre language encoded_by encoder timecode track product software',
);

/** A format that stores only some tags of a file. */
interface TagList {
  readonly name: string;
  readonly stored: ReadonlySet<string>;
  /** The ending of a format that stores every tag. Absent if `movflags` makes this one do so. */
  readonly instead?: string;
}

const FORMATS: Readonly<Record<string, TagList>> = {
  mp4: { name: 'MP4', stored: MP4 },
  ipod: { name: 'MP4', stored: MP4 },
  mov: { name: 'MOV', stored: MOV },
  avi: { name: 'AVI', stored: RIFF, instead: '.mkv' },
  wav: { name: 'WAV', stored: RIFF, instead: '.mka' },
  mpegts: { name: 'MPEG-TS', stored: words('title service_name service_provider'), instead: '.mkv' },
};

/** Names that have a warning of their own, or that are not meant as a text: those of streams. */
const OTHER_MEANING = /^(?:lang|language|rotate|handler_name|vendor_id|(?:major|compatible)_brands?|minor_version)$/;

/** Other names of tags that the formats store. */
const MEANT: Readonly<Record<string, string>> = {
  year: 'date',
  tracknumber: 'track',
  track_number: 'track',
  discnumber: 'disc',
  albumartist: 'album_artist',
  author: 'artist',
  performer: 'artist',
  name: 'title',
};

/** Warns about tags of the file that its format does not store, so that ffmpeg drops them. */
export function lostTags(options: readonly ArgvOption[], muxer: string): readonly Warning[] {
  const format = FORMATS[muxer];
  if (format === undefined) return [];
  const movflags = options.find(({ name }) => name.name === 'movflags');
  const storesAll = /\buse_metadata_tags\b/.test(movflags?.values[0] ?? '');
  if (storesAll || options.some(({ key }) => key === 'write_bext')) return [];
  return options.flatMap((option) => {
    const { name, values, field } = option;
    if (name.name !== 'metadata' || (name.specifier ?? 'g') !== 'g') return [];
    const lost = values.filter((value) => isLost(value, format));
    if (lost.length === 0) return [];
    const names = lost.map((value) => JSON.stringify(keyOf(value)));
    return [
      {
        field,
        code: 'NO_EFFECT',
        message: `${format.name} stores only the tags of a list, so ffmpeg drops ${names.slice(0, 5).join(', ')}${names.length > 5 ? ', …' : ''}.`,
        fix: renamed(option, lost, format) ?? storing(format, movflags),
      },
    ];
  });
}

/** A tag whose text is in quotes, which a shell would have removed. A title with quotes in it is meant as it is. */
const QUOTED = /^([^=]+)=(["'])((?:(?!\2).)+)\2$/s;

/** Warns about quotes around the text of a tag: they become a part of it. */
export const quotedTags = (options: readonly ArgvOption[]): readonly Warning[] =>
  options.flatMap((option) => {
    const { name, values, field } = option;
    const quoted = name.name === 'metadata' ? values.find((value) => QUOTED.test(value)) : undefined;
    if (quoted === undefined) return [];
    const meant = values.map((value) => value.replace(QUOTED, '$1=$3'));
    return [
      {
        field,
        code: 'UNUSUAL_VALUE',
        message: `The quotes in ${JSON.stringify(quoted.slice(0, 100))} become a part of the tag: no shell removes them.`,
        fix: sendOption(sentName(option), meant.length === 1 ? (meant[0] ?? '') : meant),
      },
    ];
  });

const keyOf = (tag: string): string => tag.slice(0, tag.indexOf('=')).trim().slice(0, 40);

/** A tag without a value removes one of the input. A name can end with a language: `title-deu`. */
function isLost(tag: string, { stored, name }: TagList): boolean {
  const [, text = ''] = /^([^=]+)=\s*\S/.exec(tag) ?? [];
  const key = text.trim();
  if (key === '' || OTHER_MEANING.test(key.toLowerCase())) return false;
  if ((name === 'AVI' || name === 'WAV') && /^[A-Z]{3}[A-Z0-9]$/.test(key)) return false;
  return !stored.has(key.toLowerCase().replace(/-[a-z]{3}$/, ''));
}

/** The fix with the names that the format stores, if it stores all these tags under others. */
function renamed(option: ArgvOption, lost: readonly string[], { stored }: TagList): Edits | undefined {
  const isLostTag = new Set(lost);
  const taken = new Set(option.values.map((value) => keyOf(value).toLowerCase()));
  const meant = option.values.map((value) => {
    const key = isLostTag.has(value) ? MEANT[keyOf(value).toLowerCase()] : undefined;
    return key === undefined || !stored.has(key) || taken.has(key) ? value : `${key}${value.slice(value.indexOf('='))}`;
  });
  if (meant.some((value) => isLostTag.has(value))) return undefined;
  return sendOption(sentName(option), meant.length === 1 ? (meant[0] ?? '') : meant);
}

function storing({ instead }: TagList, movflags: ArgvOption | undefined): Hint {
  if (instead !== undefined) return `Send an output that ends in ${instead}, which stores every tag.`;
  const [flags] = movflags?.values ?? [];
  const all = flags === undefined ? 'use_metadata_tags' : `${flags}+use_metadata_tags`;
  return addOption('movflags', all);
}
