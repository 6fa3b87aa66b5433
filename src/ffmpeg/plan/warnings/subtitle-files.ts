import { addOption, sendValue } from '../../../domain/edit.ts';
import { extension } from '../../../domain/media-path.ts';
import type { Warning } from '../../../domain/plan.ts';
import { encodersOfMuxer, muxerRejectsCodec } from '../../allowlist/container-codecs.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/argv-option.ts';
import type { ArgvInput } from '../request/resolve-inputs.ts';

/** The codecs of files that contain one stream of subtitles as text. */
const CODECS: ReadonlyMap<string, string> = new Map([
  ['srt', 'subrip'],
  ['vtt', 'webvtt'],
  ['ass', 'ass'],
  ['ssa', 'ass'],
]);

/** Formats that hold subtitles, and for which ffmpeg chooses no codec for them (5.1 to 9.0). */
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

/**
 * Warns about a file of subtitles that does not get into the output. ffmpeg chooses subtitles by itself only for formats
 * with a default codec for them, which MP4 has not, and a format may not hold a copy of the codec of the file.
 */
export function subtitleFiles(
  options: readonly ArgvOption[],
  inputs: readonly ArgvInput[],
  { encoders, muxer, catalogue }: { encoders: StreamEncoders; muxer: string; catalogue: Catalogue },
): readonly Warning[] {
  if (!inputs.some(({ source }) => CODECS.has(extension(source.path)))) return [];
  if (options.some(({ key }) => key === 'sn')) return [];
  const [encoder] = encodersOfMuxer(muxer, 'subtitle').filter((one) => catalogue.lists.encoders.has(one));
  if (encoder === undefined) return [];
  const named = options.find(({ key }) => /^c:s(?::|$)/.test(key));
  const all = options.find(({ key }) => key === 'c');
  const isCopy = encoders.of('s').some((one) => one.encoder === undefined);
  const maps = options.flatMap(({ name, values }) => (name.name === 'map' ? values : []));
  const hasDefault = !WITHOUT_DEFAULT.has(muxer);
  const isMapped = (index: number): boolean => maps.some((map) => new RegExp(`^${index}(?::(?:s|0)\\b.*)?$`).test(map));
  // Messages name no path, because requests with other paths get the same warnings from the cache of plans.
  const found = inputs.flatMap(({ source }, index) => {
    const codec = CODECS.get(extension(source.path));
    if (codec === undefined) return [];
    const isTaken = maps.length > 0 ? isMapped(index) : hasDefault || named !== undefined;
    if (!isTaken)
      return maps.length > 0
        ? []
        : [
            {
              field: '/parameters/c:s',
              code: 'UNUSED_INPUT',
              message: `The subtitles of the input at ${source.field} do not get into the output: for ${muxer}, ffmpeg takes subtitles only with a codec for them.`,
              fix: addOption('c:s', encoder),
            },
          ];
    const hasNoEncoder = named === undefined && all === undefined && !hasDefault;
    if (!hasNoEncoder && !(isCopy && muxerRejectsCodec(muxer, codec))) return [];
    return [
      {
        field: named?.field ?? '/parameters/c:s',
        code: 'CODEC_NOT_HELD',
        message: hasNoEncoder
          ? `ffmpeg chooses no codec for subtitles in ${muxer}, such as those of the input at ${source.field}: the job would fail.`
          : `The container ${muxer} cannot hold a copy of the subtitles in the input at ${source.field}, which are ${codec}: the job would fail.`,
        fix: named === undefined ? addOption('c:s', encoder) : sendValue(encoder),
      },
    ];
  });
  return found.slice(0, 1);
}
