import { leaveOut, orElse } from '../../../domain/edit.ts';
import { extension, type MediaPath, withExtension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import type { FormatField } from './format-field.ts';

/** Formats of one kind of file, and the extensions of such files. The first extension is the usual one. */
interface Family {
  readonly name: string;
  readonly muxers: ReadonlySet<string>;
  readonly extensions: readonly string[];
}

const family = (name: string, muxers: string, extensions: string): Family => ({
  name,
  muxers: new Set(muxers.split(' ')),
  extensions: extensions.split(' '),
});

/** The usual families of files. A reader that goes by the name takes a file of one of them for another. */
const FAMILIES: readonly Family[] = [
  family('an MP4', 'mp4 mov ipod psp f4v 3gp 3g2 ismv', 'mp4 m4a m4b m4v mov 3gp 3g2 f4v'),
  family('a Matroska', 'matroska webm', 'mkv mka webm mks mk3d'),
  family('an MPEG-TS', 'mpegts', 'ts m2ts mts m2t'),
  family('an AVI', 'avi', 'avi'),
  family('an FLV', 'flv', 'flv'),
  family('an ASF', 'asf', 'wmv wma asf'),
  family('an MP3', 'mp3', 'mp3'),
  family('a WAV', 'wav w64', 'wav w64'),
  family('a FLAC', 'flac', 'flac'),
  family('an AAC', 'adts latm', 'aac'),
  family('an AIFF', 'aiff', 'aiff aif aifc'),
  family('an Ogg', 'ogg oga ogv opus spx', 'ogg oga ogv opus spx ogx'),
  family('a GIF', 'gif', 'gif'),
  family('an HLS', 'hls', 'm3u8'),
  family('a DASH', 'dash', 'mpd'),
];

/** The extension of files of a format: its name, or the usual one of its family. */
const usualExtension = ({ extensions }: Family, muxer: string): string =>
  extensions.includes(muxer) ? muxer : (extensions[0] ?? muxer);

/**
 * Warns about `format` or `f` of another kind of file than the name of the output says, such as `mp4` for `song.mp3`. It says
 * how to get either.
 */
export function otherFormat({
  muxer,
  path,
  formatField,
}: {
  readonly muxer: string;
  readonly path: MediaPath;
  readonly formatField: FormatField;
}): readonly Warning[] {
  const name = extension(path);
  const written = FAMILIES.find(({ muxers }) => muxers.has(muxer));
  const named = FAMILIES.find(({ extensions }) => extensions.includes(name));
  if (formatField === '/output' || written === undefined || named === undefined || written === named) return [];
  const option = formatField === '/format' ? 'format' : 'f';
  const output = JSON.stringify(withExtension(path, usualExtension(written, muxer)));
  return [
    {
      field: formatField,
      code: 'UNUSUAL_VALUE',
      message: `The output is ${written.name} file, although the name "${path}" says ${name}: "${option}" comes before the name.`,
      fix: orElse(
        leaveOut(undefined, `the output is then ${named.name} file`),
        `send "output": ${output} for ${written.name} file`,
      ),
    },
  ];
}
