import { addOption, type Edits, leaveOut, sendOption } from '../../domain/edit.ts';
import type { Warning } from '../../domain/plan.ts';
import { isPictureSubtitle } from './causes/picture-subtitles.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import { mayStartLate } from './late-picture.ts';
import { argumentOf, inputStream, type MediaFacts, pathOf, secondsText, streamsOf, withField } from './media-facts.ts';

/** Codecs of which each picture is a key frame. */
const ALL_KEY_FRAMES: ReadonlySet<string> = new Set(
  'mjpeg prores dnxhd rawvideo png ffv1 huffyuv ffvhuff utvideo v210 r210 cfhd jpeg2000 dvvideo qtrle bmp tiff gif magicyuv'.split(
    ' ',
  ),
);

/** Formats of sound that hold no chapters. */
const WITHOUT_CHAPTERS: ReadonlySet<string> = new Set('adts wav w64 ac3 eac3 dts aiff mp2'.split(' '));

/** Formats that hold text subtitles only as `mov_text`. */
const OWN_SUBTITLES: ReadonlySet<string> = new Set(['mp4', 'mov', 'ipod']);

/** The encoder of the picture in place of its copy. */
function encoderFix({ plan, argv }: MediaFacts): Edits {
  const encoder = plan.output.muxer === 'webm' ? 'libvpx-vp9' : 'libx264';
  return argv.includes('-c:v') ? sendOption('c:v', encoder) : addOption('c:v', encoder);
}

/** Whether a picture is copied, of which not each frame is a key frame. */
export const copiedPicture = (facts: MediaFacts, { used }: Pick<ForeseenPass, 'used'>): boolean =>
  used.some(({ input, stream, copied }) => {
    const from = inputStream(facts, input, stream);
    return copied && from?.type === 'video' && !ALL_KEY_FRAMES.has(from.codec);
  });

/** Parts of a copy, of which no key frames are known yet. */
export function copiedParts(facts: MediaFacts): readonly Warning[] {
  const { mode, measure, starts = [] } = facts.plan.cut ?? {};
  const film = streamsOf(facts, 0, 'video')[0];
  const isCopied =
    film !== undefined && copiedPicture(facts, { used: [{ input: 0, stream: film.index, copied: true }] });
  const later = starts.filter((start) => start > 0).slice(0, MAX_STARTS);
  if (mode !== 'copy' || !isCopied || (measure === undefined && later.length === 0)) return [];
  const part =
    later.length === 0 ? 'a part' : `the part from ${later.map((start) => secondsText(start)).join(' and ')}`;
  return [
    {
      field: '/cut',
      code: 'KEY_FRAME_CUTS',
      message: `A copy begins at a key frame: ${part} begins earlier, at the key frame before, unless one is exactly there.`,
      fix: leaveOut('c', 'then it is cut at each frame'),
    },
  ];
}

/** The most parts that a warning names. */
const MAX_STARTS = 5;

/** A copy that begins with sound alone, and whose picture begins at the next key frame. */
export function laterPicture(facts: MediaFacts, pass: ForeseenPass): readonly RunWarning[] {
  const hasSound = pass.used.some(({ input, stream }) => inputStream(facts, input, stream)?.type === 'audio');
  if (!hasSound || !mayStartLate(facts, pass.used) || !copiedPicture(facts, pass)) return [];
  return [
    withField(facts, facts.argv.includes('-c:v') ? 'c:v' : 'c', {
      code: 'UNEQUAL_LENGTHS',
      message:
        'A copied picture begins at a key frame: unless one is exactly at "ss", the output begins with sound alone. With "ss" in the "parameters" of the input instead, the copy begins at the key frame before.',
      fix: encoderFix(facts),
    }),
  ];
}

/** Text subtitles that ffmpeg leaves out of a copy without maps. */
export function lostSubtitles(facts: MediaFacts): readonly RunWarning[] {
  const { argv, plan } = facts;
  const { muxer } = plan.output;
  const isLeft = argv.some((word) => /^-(?:sn|map|c:s.*|filter_complex)$/.test(word));
  if (isLeft || !OWN_SUBTITLES.has(muxer) || argumentOf(facts, 'c') !== 'copy' || plan.inputs.length !== 1) return [];
  const codecs = streamsOf(facts, 0, 'subtitle').map(({ codec }) => codec);
  const [first] = codecs.filter((codec) => codec !== 'mov_text' && !isPictureSubtitle(codec));
  if (first === undefined) return [];
  return [
    withField(facts, 'c', {
      code: 'UNUSED_STREAM',
      message: `The subtitles of ${pathOf(facts, 0)} (${first}) do not get into the output: ${muxer} holds them only as mov_text.`,
      fix: addOption('c:s', 'mov_text'),
    }),
  ];
}

/** Chapters that the format does not hold. */
export function lostChapters(facts: MediaFacts): readonly RunWarning[] {
  const { argv, plan, inputs } = facts;
  const count = inputs[0]?.chapters ?? 0;
  const isWhole = (plan.span.output.start ?? 0) === 0 && plan.span.output.duration === undefined;
  if (count < 2 || !isWhole || !WITHOUT_CHAPTERS.has(plan.output.muxer) || argv.includes('-map_chapters')) return [];
  return [
    {
      field: plan.inputs[0]?.field ?? '',
      code: 'UNUSED_STREAM',
      message: `The ${count} chapters of ${pathOf(facts, 0)} do not get into the output: this format holds none.`,
      fix: 'Send an output that ends with ".m4a" or ".mka" to keep them, or "map_chapters": "-1" if they are not needed.',
    },
  ];
}
