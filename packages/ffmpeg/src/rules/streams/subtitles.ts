import { addIn, addOption, leaveOut, sendValue } from '@telecine/contract/domain/edit.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import type { Warning } from '@telecine/contract/domain/plan.ts';
import { encodersOfMuxer, muxerRejectsCodec, subtitleEncoder } from '../../allowlist/container-codecs.ts';
import { wordPairs } from '../../allowlist/words.ts';
import { areAllCopied } from '../../plan/encoders/stream-encoders.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { noEffect, type Rules, unusedInput } from '../contexts.ts';
import { isImageSubtitle } from '../facts/image-subtitles.ts';

/** The codecs of subtitle files, by extension. */
const CODECS = wordPairs('srt subrip vtt webvtt ass ass ssa ass');

/** Formats that hold subtitles, but for which ffmpeg selects none unless the request names their codec (5.1 to 9.0). */
const WITHOUT_DEFAULT: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

export const SUBTITLE_RULES: Rules = {
  /** ffmpeg selects subtitles itself only for formats in which it has a default codec for them, so not for MP4. */
  'subtitle-file-codecs': {
    finds: 'an input of subtitles that the container holds only with another codec, or with an option for the codec',
    plan({ options, opened, encoders, muxer, catalogue }) {
      if (!opened.some(({ source }) => CODECS.has(extension(source.path)))) return [];
      const encoder = encodersOfMuxer(muxer, 'subtitle').find((one) => catalogue.lists.encoders.has(one));
      if (encoder === undefined || options.some(({ key }) => key === 'sn')) return [];
      const named = options.find(({ key }) => /^c:s(?::|$)/.test(key));
      const isCopy = encoders.of('s').some((one) => one.encoder === undefined);
      const maps = options.flatMap(({ name, values }) => (name.name === 'map' ? values : []));
      const hasDefault = !WITHOUT_DEFAULT.has(muxer);
      const hasNoEncoder = named === undefined && !options.some(({ key }) => key === 'c') && !hasDefault;
      // The message names a field instead of a path: the plan cache uses the same message for requests with other paths.
      const found = opened.flatMap(({ source }, index): Warning | [] => {
        const codec = CODECS.get(extension(source.path));
        const isMapped = maps.some((map) => new RegExp(`^${index}(?::(?:s|0)\\b.*)?$`).test(map));
        if (codec === undefined || (maps.length > 0 && !isMapped)) return [];
        if (maps.length === 0 && !hasDefault && named === undefined)
          return unusedInput(
            `The subtitles of the input at ${source.field} do not get into the output: for ${muxer}, ffmpeg takes subtitles only with a codec for them.`,
            addOption('c:s', encoder),
            { field: '/parameters/c:s' },
          );
        if (!hasNoEncoder && !(isCopy && muxerRejectsCodec(muxer, codec))) return [];
        return {
          field: named?.field ?? '/parameters/c:s',
          code: 'CODEC_NOT_HELD',
          message: hasNoEncoder
            ? `ffmpeg chooses no codec for subtitles in ${muxer}, such as the subtitles of the input at ${source.field}: the job would fail.`
            : `The container ${muxer} cannot hold a copy of the subtitles in the input at ${source.field}, which are ${codec}: the job would fail.`,
          fix: named === undefined ? addOption('c:s', encoder) : sendValue(encoder),
        };
      });
      return found.slice(0, 1);
    },
  },

  'ignored-sub-charenc': {
    finds: '`sub_charenc` for subtitles that are copied',
    about: ['sub_charenc'],
    plan({ opened, encoders, muxer, catalogue }) {
      if (!areAllCopied(encoders, 's')) return [];
      const encoder = subtitleEncoder(muxer, catalogue.lists);
      const sent = opened.flatMap(({ options }) => options.filter(({ name }) => name.name === 'sub_charenc'));
      return sent.map((option) =>
        noEffect(
          `"${sentName(option)}" has no effect: the subtitles are copied, and only re-encoded ones become UTF-8.`,
          encoder === undefined ? leaveOut() : addIn('parameters', 'c:s', encoder),
          { field: option.field },
        ),
      );
    },
  },

  /** ffmpeg selects no subtitles for MP4 and MOV, and for Matroska and WebM only text, unless they are copied or their codec is named. */
  'dropped-subtitles': {
    finds: 'a video that leaves out all subtitles of its input',
    filesAndRun({ facts }) {
      const { inputs, output } = facts.plan;
      const isAsked = facts.hasOption(/^-(?:sn|vn|map|c:s.*|filter_complex|frames.*)$/) || inputs.length !== 1;
      const codecs = facts.streamsOf(0, 'subtitle').map(({ codec }) => codec);
      const text = codecs.find((codec) => !isImageSubtitle(codec));
      const isCopy = facts.argumentOf('c') === 'copy';
      const isOfMp4 = WITHOUT_DEFAULT.has(output.muxer) && !/\.m4[ab]$/i.test(output.path);
      const isLost = isOfMp4
        ? !(isCopy && codecs.includes('mov_text'))
        : /^(?:matroska|webm)$/.test(output.muxer) && !isCopy && text === undefined;
      if (isAsked || codecs.length === 0 || !isLost) return [];
      const [why, fix] =
        isOfMp4 && text !== undefined
          ? [`${output.muxer} holds them only as mov_text`, addOption('c:s', 'mov_text')]
          : output.muxer === 'matroska'
            ? ['ffmpeg converts images only to images', addOption('c:s', 'copy')]
            : [`${output.muxer} holds only text`, 'Send an output that ends with ".mkv", and "c:s": "copy".'];
      return {
        ...(isCopy ? { key: 'c' } : { field: inputs[0]?.field ?? '' }),
        code: 'UNUSED_STREAM',
        message: `The subtitles of ${facts.pathOf(0)} (${text ?? codecs[0]}) do not get into the output: ${why}.`,
        fix,
      };
    },
  },
};
