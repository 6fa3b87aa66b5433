import { leaveOut, orElse, sendOption } from '@telecine/contract/domain/edit.ts';
import { extension } from '@telecine/contract/domain/media-path.ts';
import { encodersOfMuxer, muxerRejectsCodec } from '../../allowlist/container-codecs.ts';
import { kindOfFormat } from '../../allowlist/containers.ts';
import { wordSet } from '../../allowlist/words.ts';
import { encoderNamed } from '../../catalogue/catalogue.ts';
import { sentName } from '../../plan/request/argv-option.ts';
import { findFormatByExtension } from '../../plan/request/format-names.ts';
import { type Found, type Rules, unusualValue } from '../rule.ts';

/** Formats that are read alike, whichever of their extensions a file has. */
const ALIKE = [
  ...[
    'mp4 mov ipod psp f4v 3gp 3g2 ismv',
    'matroska webm',
    'mpeg vob dvd svcd vcd mpeg1video mpeg2video',
    'ogg oga ogv opus spx',
  ],
  ...['wav w64', 'crc framecrc', 'md5 framemd5', 'image2 apng mjpeg', 'adts latm'],
].map(wordSet);

export const FORMAT_RULES: Rules = {
  'format-extension-mismatch': {
    finds: 'a `format` of another kind of file than the extension of the output says',
    plan({ muxer, path, formatField, catalogue }) {
      const named = findFormatByExtension(extension(path), catalogue.lists.muxers);
      if (formatField === undefined || 'error' in named || /segment|^image2$/.test(muxer)) return [];
      const { muxer: ofName } = named.format;
      const areRaw = [muxer, ofName].every((one) => /^(?:[suf]\d+(?:[lb]e)?|alaw|mulaw)$/.test(one));
      if (ofName === muxer || areRaw || ALIKE.some((family) => family.has(muxer) && family.has(ofName))) return [];
      const message = `The output is written in the format ${muxer}, although its name ends with .${extension(path)}.`;
      const fix = orElse(leaveOut(), 'send another name of the output');
      return [unusualValue(message, fix, { field: formatField })];
    },
  },

  'container-codec-mismatches': {
    finds: 'an encoder whose codec the container does not support',
    about: ['c'],
    plan(context) {
      const { options, muxer, catalogue } = context;
      const choices = options.filter(({ name }) => name.name === 'c');
      return choices.flatMap((option): Found => {
        const [value = ''] = option.values;
        const encoder = encoderNamed(catalogue, value);
        if (encoder === undefined || !muxerRejectsCodec(muxer, encoder.codec)) return [];
        // Then there is no stream of this kind to encode, which the result shows.
        const isDropped = options.some(({ key }) => key === `${encoder.kind.charAt(0)}n`);
        if (isDropped || (kindOfFormat(muxer) ?? encoder.kind) !== encoder.kind) return [];
        const held = encodersOfMuxer(muxer, encoder.kind).filter((one) => catalogue.lists.encoders.has(one));
        const [nearest] = held;
        return {
          field: option.field,
          code: 'CODEC_NOT_HELD',
          message: `The container ${muxer} does not support ${encoder.codec}${nearest === undefined ? '' : `; encoders for it are ${held.join(', ')}`}: a job with "${sentName(option)}": "${value}" would fail.`,
          fix:
            nearest === undefined
              ? 'Send an output that ends with ".mkv": Matroska supports nearly every codec.'
              : sendOption(sentName(option), nearest),
          // An option for one stream (`c:a:1`) may not fail the job: the stream may be missing, or have another encoder.
          ...(encoder.kind !== 'subtitle' &&
            !choices.some(({ name }) => /\d/.test(name.specifier ?? '')) && { failsWith: encoder.kind }),
        };
      });
    },
  },
};
