import { leaveOut, sendOption } from '@telecine/contract/domain/edit.ts';
import { MPEG_QUANTIZER, scaleText, usualQuality } from '../../allowlist/usual-quality.ts';
import { wordPairs } from '../../allowlist/words.ts';
import { type ArgvOption, sentName } from '../../plan/request/argv-option.ts';
import { readPlainNumber } from '../../values/number.ts';
import { noEffect, type RequestContext, type Rules, unusualValue } from '../rule.ts';

/** Encoders that ignore `b`: the output has the same size with any value (tested with ffmpeg 5.1). */
const WITHOUT_BIT_RATE =
  /^(?:prores(?:_aw|_ks)?|ffv1|huffyuv|ffvhuff|utvideo|rawvideo|v210|qtrle|png|apng|gif|bmp|tiff|jpeg2000|dvvideo|flac|alac|wavpack|tta|truehd|mlp|pcm_\w+|adpcm_\w+)$/;

/** Encoders that ignore `q`, and the option that sets their quality (tested with ffmpeg 5.1). */
const INSTEAD_OF_Q = wordPairs(
  'libx264 crf libx264rgb crf libx265 crf libsvtav1 crf libvpx crf libvpx-vp9 crf libaom-av1 crf librav1e qp ' +
    'libopus b:a ac3 b:a eac3 b:a mp2 b:a wmav2 b:a prores profile:v prores_aw profile:v',
);

/** Encoders whose `q:v` is a quantizer from 1 (best) to 31 (worst). */
const QUANTIZERS =
  /^(?:mjpeg|mpeg[124]|mpeg[12]video|libxvid|flv|h26[13]p?|msmpeg4(?:v2)?|wmv[12]|rv[12]0|speedhq|amv)$/;

/** The encoders of the streams that an option is for. */
const encodersFor = ({ encoders }: RequestContext, { name }: ArgvOption): readonly string[] =>
  encoders.of(name.specifier).flatMap(({ encoder }) => encoder ?? []);

export const ENCODER_RULES: Rules = {
  'missing-two-pass-mode': {
    finds: 'two passes for an encoder that has no two-pass mode',
    plan: ({ onePassOnly }) =>
      onePassOnly
        ? [
            noEffect(
              'This encoder has no two-pass mode, so the service runs one pass. "b:v" applies to it too.',
              leaveOut('pass'),
              { field: '/parameters/pass' },
            ),
          ]
        : [],
  },

  'unsuitable-quality': {
    finds: '`q` for an encoder that ignores it, or with a value that is not on the scale of the encoder',
    about: ['q'],
    plan: (context) =>
      context.options.flatMap((option) => {
        if (option.name.name !== 'q') return [];
        const key = sentName(option);
        const [value = ''] = option.values;
        const found = encodersFor(context, option);
        const [first] = found;
        if (first === undefined) return [];
        const instead = INSTEAD_OF_Q.get(first);
        if (found.every((one) => INSTEAD_OF_Q.has(one) || WITHOUT_BIT_RATE.test(one)))
          return noEffect(
            `"${key}" has no effect: ${found.join(' and ')} ignore${found.length === 1 ? 's' : ''} it.`,
            instead === undefined ? leaveOut() : { ...leaveOut(), note: `"${instead}" sets the quality of ${first}.` },
            { field: option.field },
          );
        const isQuantizer = found.every((one) => QUANTIZERS.test(one));
        const scale = isQuantizer ? MPEG_QUANTIZER : found.length === 1 ? usualQuality(first, 'q') : undefined;
        if (scale === undefined || !((readPlainNumber(value) ?? 0) > scale.max)) return [];
        return unusualValue(
          `"${key}" of ${first} is a quality: ${scaleText(scale)}. ${value} is beyond it.`,
          sendOption(key, scale.send),
          { field: option.field },
        );
      }),
  },
};
