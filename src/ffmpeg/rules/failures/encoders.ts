import { addOption, leaveOut, orElse, sendMember, sendOption, withMore } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import { extension, withExtension } from '../../../domain/media-path.ts';
import { andList } from '../../../domain/quantity.ts';
import { encodersOfMuxer, muxerRejectsCodec, nearestCodec } from '../../allowlist/container-codecs.ts';
import { numberedConflict } from '../../allowlist/profile-formats.ts';
import type { GraphFilter } from '../../filtergraph/graph.ts';
import { printFilter } from '../../filtergraph/graph.ts';
import { formatText } from '../../log/classify.ts';
import { bitRateFix } from '../../values/bit-rate-fix.ts';
import { evenBelow, evenWidth } from '../../values/size.ts';
import { printChanged, sendInstead, withFilter } from '../facts/graph-fixes.ts';
import { KINDS, type MediaFacts, optionValue } from '../facts/media-facts.ts';
import { failed } from './media-failure.ts';
import { isPictureSubtitle, otherKindOfSubtitles } from './subtitles.ts';

/** Extensions that name a container which holds few codecs. */
const STRICT = /^(?:mp4|m4v|m4a|m4b|mov|webm|flv|3gp|3g2)$/;

/** A codec that the container does not hold, if there is one way to keep what it was chosen for. */
export function codecNotHeld(facts: MediaFacts, codec: string): Failure | undefined {
  const { muxer, path } = facts.plan.output;
  const nearest = nearestCodec(muxer, codec);
  const encoder = nearest === undefined && muxer === 'flv' ? usualOfFlv(codec) : nearest?.encoder;
  const message = cannotHold(facts, codec);
  if (nearest?.extension !== undefined && STRICT.test(extension(path))) {
    const other = sendMember('output', withExtension(path, nearest.extension));
    // A film that becomes an .m4a is mostly wanted for its sound.
    const isSound = nearest.kind === 'video' && /^m4[ab]$/.test(extension(path));
    return failed('UNSUPPORTED', message, isSound ? orElse(addOption('vn', ''), other) : other);
  }
  if (nearest?.extension !== undefined) return undefined;
  if (encoder === undefined) return undefined;
  const letter = (nearest?.kind ?? (AUDIO.test(codec) ? 'audio' : 'video')).charAt(0);
  const isCopyOfAll = facts.fieldOf(`c:${letter}`) === undefined && facts.argumentOf('c') === 'copy';
  const name = facts.fieldOf(`c:${letter}`) === undefined ? `c:${letter}` : facts.sentNameOf(`c:${letter}`);
  return failed('UNSUPPORTED', message, isCopyOfAll ? addOption(`c:${letter}`, encoder) : sendOption(name, encoder));
}

/**
 * The failure of streams that the container does not take as the request has them, with an encoder for each of their kinds. undefined if one
 * has none. `experimental`: a codec that the container takes only on request.
 */
export function streamsNotHeld(
  facts: MediaFacts,
  streams: MediaFacts['used'],
  experimental?: string,
): Failure | undefined {
  const { muxer } = facts.plan.output;
  const rejected = streams.flatMap(({ input, stream, copied }) => {
    const { codec = '', type } = facts.inputStream(input, stream) ?? {};
    if (type !== 'video' && type !== 'audio' && type !== 'subtitle') return [];
    const encoders = encodersOfMuxer(muxer, type);
    const isHeld = copied
      ? !muxerRejectsCodec(muxer, codec) && codec !== experimental
      : type !== 'subtitle' || encoders.includes(facts.argumentOf('c:s') ?? facts.argumentOf('c') ?? '');
    const what = type === 'subtitle' ? `${codec} subtitles` : codec;
    return isHeld ? [] : [{ what, name: `c:${type.charAt(0)}`, encoder: encoders[0] }];
  });
  if (rejected.length === 0) return undefined;
  // No encoder makes text of pictures.
  if (rejected.some(({ what }) => isPictureSubtitle(what.replace(/ subtitles$/, ''))))
    return otherKindOfSubtitles(facts);
  const encoders = new Map(rejected.map(({ name, encoder }) => [name, encoder]));
  const isSent = [...encoders.keys()].some((name) => facts.fieldOf(name) !== undefined);
  const edits = [...encoders].map(([name, value]) => ({ do: isSent ? 'send' : 'add', name, value }) as const);
  return failed(
    'UNSUPPORTED',
    cannotHold(facts, andList([...new Set(rejected.map(({ what }) => what))])),
    [...encoders.values()].includes(undefined)
      ? 'Send an output that ends with ".mkv", which holds nearly every codec.'
      : { edits },
  );
}

const cannotHold = ({ plan: { output } }: MediaFacts, what: string): string =>
  `${formatText({ muxer: output.muxer, extension: extension(output.path) })} cannot hold ${what}.`;

/** Subtitles that the muxer names by their codec. The fix has all encoders that the output needs. */
export function subtitlesNotHeld(facts: MediaFacts, codec: string): Failure | undefined {
  const failure = streamsNotHeld(facts, facts.used);
  return failure && { ...failure, message: cannotHold(facts, `${codec} subtitles`) };
}

/** A copy of a codec that MP4 holds only as an experiment. The fix has all encoders that the output needs. */
export function experimentalCopy(facts: MediaFacts, codec: string): Failure | undefined {
  const failure = streamsNotHeld(facts, facts.used, codec.toLowerCase());
  return failure && { ...failure, message: `MP4 holds ${codec} only as an experiment, on request.` };
}

const AUDIO = /^(?:opus|vorbis|flac|alac|ac3|eac3|dts|mp[12]|wma\w*|tta|wavpack|truehd|pcm_\w+)$/;

/** Without a codec, FLV gets its own old one, which few players show. */
const usualOfFlv = (codec: string): string | undefined =>
  encodersOfMuxer('flv', AUDIO.test(codec) ? 'audio' : 'video')[0];

/** `c`, or `c:1`: options for streams of every kind. */
const ANY_KIND = /^-(c(?::\d+)?)$/;

/** An encoder that got a stream of another kind, because its option is for all streams: `codec`, `c`. */
export function encoderOfOtherKind(facts: MediaFacts, encoder: string): Failure | undefined {
  const { argv, plan } = facts;
  const key = argv.flatMap((word, at) => (argv[at + 1] === encoder ? (ANY_KIND.exec(word)?.[1] ?? []) : [])).at(-1);
  if (key === undefined) return undefined;
  const known = KINDS.filter((kind) => plan.encoders?.[kind]?.some((one) => one !== 'copy') === true);
  // The plan has the name of the encoder where the client sent that of a codec.
  const [kind, ...others] = known.some((one) => plan.encoders?.[one]?.includes(encoder))
    ? known.filter((one) => plan.encoders?.[one]?.includes(encoder))
    : known.filter((one) => !argv.some((word) => word.startsWith(`-c:${one.charAt(0)}`)));
  if (kind === undefined || others.length > 0) return undefined;
  const name = facts.sentNameOf(key);
  return failed(
    'UNSUPPORTED',
    key === 'c'
      ? `"${name}" is for all streams of the output, and ${encoder} is an encoder only for ${kind}.`
      : `"${name}" is for a stream of another kind: ${encoder} is an encoder for ${kind}.`,
    sendInstead(name, `c:${kind.charAt(0)}`, encoder),
  );
}

/** A profile of VP9 or AV1 that does not hold the pictures of the input: libvpx says it in part, and libaom aborts. */
export function unfitProfile(facts: MediaFacts): Failure | undefined {
  const key = ['profile:v', 'profile:v:0', 'profile'].find((name) => facts.argumentOf(name) !== undefined);
  const sets = facts.argv.some((word) => /^-pix_fmt(?::|$)/.test(word));
  const formats = facts.graphs.some(({ filters }) => filters.some(({ name }) => name === 'format'));
  if (key === undefined || sets || formats) return undefined;
  const profile = facts.argumentOf(key) ?? '';
  for (const { input, stream, copied } of facts.used) {
    const picture = facts.inputStream(input, stream);
    if (copied || picture?.type !== 'video' || picture.pixelFormat === undefined) continue;
    for (const encoder of facts.plan.encoders?.video ?? []) {
      const conflict = numberedConflict(encoder, profile, picture.pixelFormat);
      if (conflict === undefined) continue;
      return failed(
        'FFMPEG_FAILED',
        `"${facts.sentNameOf(key)}": "${profile}" of ${encoder} is not for ${picture.pixelFormat}, the pixel format of the picture.`,
        // SVT-AV1 encodes only what its main profile holds.
        encoder === 'libsvtav1'
          ? leaveOut(facts.sentNameOf(key))
          : orElse(addOption('pix_fmt', conflict.pixelFormat), leaveOut(facts.sentNameOf(key))),
      );
    }
  }
  return undefined;
}

/** The failure for a bit rate outside the range that the encoder names in its log. */
export function bitRateBeyond(facts: MediaFacts, sent: number, min: number, max: number): Failure | undefined {
  const key = facts.argv.find((word) => /^-b(?::a.*|:\d+)?$/.test(word))?.slice(1);
  if (key === undefined) return undefined;
  const meant = sent > max ? max : min;
  return failed(
    'FFMPEG_FAILED',
    `The encoder takes ${min} to ${max} bits per second for the channels of this sound, and the request has ${sent}.`,
    sendOption(facts.sentNameOf(key), meant % 1000 === 0 ? `${meant / 1000}k` : String(meant)),
  );
}

/** The failure if the request sets a quality for an encoder of sound that only takes a bit rate. */
export function bitRateOnly(facts: MediaFacts): Failure | undefined {
  const key = facts.argv.find((word) => /^-q(?::a.*|:\d+)?$/.test(word))?.slice(1);
  if (key === undefined) return undefined;
  const name = facts.sentNameOf(key);
  return failed('FFMPEG_FAILED', `The encoder has no quality like "${name}", only a bit rate.`, leaveOut(name));
}

/** A bit rate of the video that counts as none. Its fix is that of the warning about the request. */
export function missingBitRate(facts: MediaFacts): Failure | undefined {
  const at = facts.argv.findLastIndex((word) => /^-b:(?:v.*|\d+)$/.test(word));
  const [key, value] = facts.argv.slice(at, at + 2);
  if (at < 0 || key === undefined || value === undefined) return undefined;
  return failed(
    'FFMPEG_FAILED',
    `The bit rate ${value} is below 1000 bits per second.`,
    bitRateFix(facts.sentNameOf(key.slice(1)), value, 'video'),
  );
}

/** A picture with an odd side, for an encoder that halves the resolution of the colours. */
export function oddSize(facts: MediaFacts, width: number, height: number): Failure {
  const [w, h] = [evenBelow(width), evenBelow(height)];
  const message = `The encoder needs an even width and height, and the picture has ${width}x${height}.`;
  const sized = facts.argv.findLast((word, at) => /^-s(?::v.*)?$/.test(word) && facts.argv[at + 1] !== undefined);
  if (sized !== undefined)
    return failed('FFMPEG_FAILED', message, sendOption(facts.sentNameOf(sized.slice(1)), `${w}x${h}`));
  const [graph, ...others] = facts.graphs.filter(({ key }) => !/^filter:a/.test(key));
  if (graph === undefined) return failed('FFMPEG_FAILED', message, addOption('vf', `crop=${w}:${h}`));
  const last = graph.graph.chains.at(-1)?.at(-1);
  if (others.length > 0 || graph.key === 'filter_complex' || last === undefined)
    return failed('FFMPEG_FAILED', message, `Put "crop=${w}:${h}" after the last filter of the picture.`);
  const scaled = last.name === 'scale' ? evenScale(last, width, height) : undefined;
  if (scaled !== undefined) return failed('FFMPEG_FAILED', message, withFilter(facts, graph, last, scaled));
  const plain = printFilter({ ...last, inputs: [], outputs: [] });
  return failed('FFMPEG_FAILED', message, withFilter(facts, graph, last, `${plain},crop=${w}:${h}`));
}

/** The filter `scale` with an even size. -2 keeps the aspect ratio as -1 does. undefined if its size is an expression. */
function evenScale(filter: GraphFilter, width: number, height: number): string | undefined {
  const side = (sent: string | undefined, pixels: number, even: number): string | undefined =>
    sent === '-1' ? '-2' : sent === String(pixels) ? String(even) : sent === '-2' ? sent : undefined;
  const w = side(optionValue(filter, 'w', 'width'), width, evenWidth(width, height));
  const h = side(optionValue(filter, 'h', 'height'), height, evenBelow(height));
  return w === undefined || h === undefined ? undefined : printChanged(filter, { w, h }, ['width', 'height']);
}

/** libsvtav1 2 and later rejects a highest bit rate beside an average one. Its own line about it has no colour. */
export function limitWithoutQuality(facts: MediaFacts): Failure | undefined {
  const sent = (name: string): boolean => facts.argv.some((word) => new RegExp(`^-${name}(?::v.*)?$`).test(word));
  if (!facts.argv.includes('libsvtav1') || !sent('maxrate') || !sent('b')) return undefined;
  return failed(
    'UNSUPPORTED',
    'This libsvtav1 limits the bit rate ("maxrate") only with a quality ("crf"), not with an average ("b:v").',
    orElse(withMore(leaveOut('maxrate'), { do: 'remove', name: 'bufsize' }), sendInstead('b:v', 'crf', '35')),
  );
}

/** H.263 has few sizes, and its encoder complains about others one by one. */
export function sizeForH263({ argv }: MediaFacts): Failure | undefined {
  if (!argv.some((word, at) => word === 'h263' && /^-c(?::|$)/.test(argv[at - 1] ?? ''))) return undefined;
  return failed(
    'FFMPEG_FAILED',
    'H.263 supports only the sizes 128x96, 176x144, 352x288, 704x576 and 1408x1152.',
    orElse(sendOption('s', '352x288'), '"c:v": "mpeg4", which supports any size'),
  );
}
