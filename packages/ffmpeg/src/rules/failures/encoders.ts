import { addOption, leaveOut, orElse, sendMember, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import type { Hint } from '@telecine/contract/domain/hint.ts';
import { extension, withExtension } from '@telecine/contract/domain/media-path.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
import { encodersOfMuxer, muxerRejectsCodec, nearestCodec } from '../../allowlist/container-codecs.ts';
import { numberedConflict } from '../../allowlist/profile-formats.ts';
import { type GraphFilter, printFilter } from '../../filtergraph/graph.ts';
import { formatText } from '../../log/classify.ts';
import { bitRateFix } from '../../values/bit-rate-fix.ts';
import { evenBelow, evenWidth } from '../../values/size.ts';
import { printChanged, sendInstead, withFilter } from '../facts/graph-fixes.ts';
import { isImageSubtitle } from '../facts/image-subtitles.ts';
import { KINDS, letterOf, type MediaFacts, optionValue } from '../facts/media-facts.ts';
import { ffmpegFailure, type MediaFailure, unsupportedRequest } from './media-failure.ts';
import { otherKindOfSubtitles } from './subtitles.ts';

/** Extensions of containers that allow only a few codecs. */
const STRICT = /^(?:mp4|m4v|m4a|m4b|mov|webm|flv|3gp|3g2)$/;

/** Explains a codec that the container does not allow. undefined: neither another encoder nor another container is a clear fix. */
export function codecNotHeld(facts: MediaFacts, codec: string): MediaFailure | undefined {
  const { muxer, path } = facts.plan.output;
  const nearest = nearestCodec(muxer, codec);
  const encoder = nearest === undefined && muxer === 'flv' ? usualOfFlv(codec) : nearest?.encoder;
  const message = cannotHold(facts, codec);
  if (nearest?.extension !== undefined) {
    if (!STRICT.test(extension(path))) return undefined;
    const other = sendMember('output', withExtension(path, nearest.extension));
    // A client who converts a video to .m4a mostly wants only its audio, so this is the first fix.
    const isAudio = nearest.kind === 'video' && /^m4[ab]$/.test(extension(path));
    return unsupportedRequest(message, isAudio ? orElse(addOption('vn', ''), other) : other);
  }
  if (encoder === undefined) return undefined;
  const key = `c:${letterOf(nearest?.kind ?? kindOfCodec(codec))}`;
  const isSent = facts.fieldOf(key) !== undefined;
  const isCopyOfAll = !isSent && facts.argumentOf('c') === 'copy';
  const fix = isCopyOfAll ? addOption(key, encoder) : sendOption(isSent ? facts.sentNameOf(key) : key, encoder);
  return unsupportedRequest(message, fix);
}

/** Explains streams that the container rejects. The fix names encoders. `experimental`: a codec that needs `strict` experimental. */
export function streamsNotHeld(facts: MediaFacts, streams: MediaFacts['used'], experimental?: string) {
  const { muxer } = facts.plan.output;
  const rejected = streams.flatMap(({ input, stream, copied }) => {
    const { codec = '', type } = facts.inputStream(input, stream) ?? {};
    if (type !== 'video' && type !== 'audio' && type !== 'subtitle') return [];
    const encoders = encodersOfMuxer(muxer, type);
    const isHeld = copied
      ? !muxerRejectsCodec(muxer, codec) && codec !== experimental
      : type !== 'subtitle' || encoders.includes(facts.argumentOf('c:s') ?? facts.argumentOf('c') ?? '');
    const what = type === 'subtitle' ? `${codec} subtitles` : codec;
    return isHeld ? [] : [{ what, name: `c:${letterOf(type)}`, encoder: encoders[0] }];
  });
  if (rejected.length === 0) return undefined;
  // For image subtitles, no encoder helps: ffmpeg cannot convert images to text.
  if (rejected.some(({ what }) => isImageSubtitle(what.replace(/ subtitles$/, '')))) return otherKindOfSubtitles(facts);
  const encoders = new Map(rejected.map(({ name, encoder }) => [name, encoder]));
  const isSent = [...encoders.keys()].some((name) => facts.fieldOf(name) !== undefined);
  const edits = [...encoders].map(([name, value]) => ({ do: isSent ? 'send' : 'add', name, value }) as const);
  return unsupportedRequest(
    cannotHold(facts, andList([...new Set(rejected.map(({ what }) => what))])),
    [...encoders.values()].includes(undefined)
      ? 'Send an output that ends with ".mkv", which holds nearly every codec.'
      : { edits },
  );
}

const cannotHold = ({ plan: { output } }: MediaFacts, what: string): string =>
  `${formatText({ muxer: output.muxer, extension: extension(output.path) })} cannot hold ${what}.`;

/** Explains subtitles that the muxer rejects by their codec. The fix names all encoders that the output needs. */
export function subtitlesNotHeld(facts: MediaFacts, codec: string): MediaFailure | undefined {
  const failure = streamsNotHeld(facts, facts.used);
  return failure && { ...failure, message: cannotHold(facts, `${codec} subtitles`) };
}

/** Explains a copy of a codec that MP4 holds only with `strict` experimental. The fix names all encoders that the output needs. */
export function experimentalCopy(facts: MediaFacts, codec: string): MediaFailure | undefined {
  const failure = streamsNotHeld(facts, facts.used, codec.toLowerCase());
  return failure && { ...failure, message: `MP4 can hold ${codec} only with "strict": "experimental".` };
}

const AUDIO = /^(?:opus|vorbis|flac|alac|ac3|eac3|dts|mp[12]|wma\w*|tta|wavpack|truehd|pcm_\w+)$/;

const kindOfCodec = (codec: string): 'video' | 'audio' => (AUDIO.test(codec) ? 'audio' : 'video');

/** Returns the usual FLV encoder for a codec that has no similar codec in FLV. */
const usualOfFlv = (codec: string): string | undefined => encodersOfMuxer('flv', kindOfCodec(codec))[0];

/** Matches codec options without a kind of stream: `-c`, `-c:1`. */
const ANY_KIND = /^-(c(?::\d+)?)$/;

/** Explains an encoder that gets streams of another kind: `"c": "libmp3lame"` also applies to the video stream. */
export function encoderOfOtherKind(facts: MediaFacts, encoder: string): MediaFailure | undefined {
  const { argv, plan } = facts;
  const key = argv.flatMap((word, at) => (argv[at + 1] === encoder ? (ANY_KIND.exec(word)?.[1] ?? []) : [])).at(-1);
  const known = KINDS.filter((kind) => plan.encoders?.[kind]?.some((one) => one !== 'copy') === true);
  // `plan.encoders` has only names of encoders. If the client sent the name of a codec, that name is missing there.
  const named = known.filter((one) => plan.encoders?.[one]?.includes(encoder));
  const open = known.filter((one) => !argv.some((word) => word.startsWith(`-c:${letterOf(one)}`)));
  const [kind, ...others] = named.length > 0 ? named : open;
  if (key === undefined || kind === undefined || others.length > 0) return undefined;
  const name = facts.sentNameOf(key);
  return unsupportedRequest(
    key === 'c'
      ? `"${name}" is for all streams of the output, and ${encoder} is an encoder only for ${kind}.`
      : `"${name}" is for a stream of another kind: ${encoder} is an encoder for ${kind}.`,
    sendInstead(name, `c:${letterOf(kind)}`, encoder),
  );
}

/** Explains a VP9 or AV1 profile that does not allow the pixel format of the input. libvpx logs only some cases, and libaom aborts. */
export function unfitProfile(facts: MediaFacts): MediaFailure | undefined {
  const key = facts.firstOf('profile:v', 'profile:v:0', 'profile');
  if (key === undefined || facts.hasOption(/^-pix_fmt(?::|$)/) || facts.usesFilter(/^format$/)) return undefined;
  const profile = facts.argumentOf(key) ?? '';
  const [found] = facts.usedOf('video').flatMap(({ input, stream, copied }) => {
    const { pixelFormat } = facts.inputStream(input, stream) ?? {};
    if (copied || pixelFormat === undefined) return [];
    return (facts.plan.encoders?.video ?? []).flatMap((encoder) => {
      const conflict = numberedConflict(encoder, profile, pixelFormat);
      return conflict === undefined ? [] : [{ encoder, pixelFormat, conflict }];
    });
  });
  if (found === undefined) return undefined;
  const { encoder, pixelFormat, conflict } = found;
  const withoutProfile = leaveOut(facts.sentNameOf(key));
  return ffmpegFailure(
    `"${facts.sentNameOf(key)}": "${profile}" of ${encoder} is not for ${pixelFormat}, the pixel format of the video.`,
    // SVT-AV1 has only the main profile, so another pixel format does not help.
    encoder === 'libsvtav1' ? withoutProfile : orElse(addOption('pix_fmt', conflict.pixelFormat), withoutProfile),
  );
}

/** Explains a bit rate outside the range that the encoder logs. */
export function bitRateBeyond(facts: MediaFacts, sent: string, min: string, max: string): MediaFailure | undefined {
  const key = facts.keyLike(/^b(?::a.*|:\d+)?$/);
  if (key === undefined) return undefined;
  const meant = Number(Number(sent) > Number(max) ? max : min);
  return ffmpegFailure(
    `The encoder takes ${min} to ${max} bits per second for the channels of this audio, and the request has ${sent}.`,
    sendOption(facts.sentNameOf(key), meant % 1000 === 0 ? `${meant / 1000}k` : String(meant)),
  );
}

/** Explains a quality option for an audio encoder that supports only bit rates. */
export function bitRateOnly(facts: MediaFacts): MediaFailure | undefined {
  const key = facts.keyLike(/^q(?::a.*|:\d+)?$/);
  if (key === undefined) return undefined;
  const name = facts.sentNameOf(key);
  return ffmpegFailure(`The encoder has no quality like "${name}", only a bit rate.`, leaveOut(name));
}

/** Explains a bit rate such as `800` without a unit: below 1000 bits per second, the encoder counts it as missing. */
export function missingBitRate(facts: MediaFacts): MediaFailure | undefined {
  const at = facts.argv.findLastIndex((word) => /^-b:(?:v.*|\d+)$/.test(word));
  const [key, value] = facts.argv.slice(at, at + 2);
  if (at < 0 || key === undefined || value === undefined) return undefined;
  return ffmpegFailure(
    `The bit rate ${value} is below 1000 bits per second.`,
    bitRateFix(facts.sentNameOf(key.slice(1)), value, 'video'),
  );
}

/** Explains an odd width or height. Encoders with 4:2:0 need even ones, because they halve the resolution of the colours. */
export function oddSize(facts: MediaFacts, ...size: readonly string[]): MediaFailure {
  const [width = 0, height = 0] = size.map(Number);
  const [w, h] = [evenBelow(width), evenBelow(height)];
  const sized = facts.argv.findLast((word, at) => /^-s(?::v.*)?$/.test(word) && facts.argv[at + 1] !== undefined);
  const [graph, ...others] = facts.graphs.filter(({ key }) => !/^filter:a/.test(key));
  const fix = (): Hint => {
    if (sized !== undefined) return sendOption(facts.sentNameOf(sized.slice(1)), `${w}x${h}`);
    if (graph === undefined) return addOption('vf', `crop=${w}:${h}`);
    const last = graph.graph.chains.at(-1)?.at(-1);
    if (others.length > 0 || graph.key === 'filter_complex' || last === undefined)
      return `Put "crop=${w}:${h}" after the last filter of the video.`;
    const scaled = last.name === 'scale' ? evenScale(last, width, height) : undefined;
    return withFilter(facts, graph, last, scaled ?? `${printChanged(last)},crop=${w}:${h}`);
  };
  const message = `The encoder needs an even width and height, and the video has ${width}x${height}.`;
  return ffmpegFailure(message, fix());
}

/** Prints a `scale` with an even size: -2 instead of -1 keeps the aspect ratio and is even. undefined: the size is an expression. */
function evenScale(filter: GraphFilter, width: number, height: number): string | undefined {
  const side = (sent: string | undefined, pixels: number, even: number): string | undefined =>
    sent === '-1' ? '-2' : sent === String(pixels) ? String(even) : sent === '-2' ? sent : undefined;
  const w = side(optionValue(filter, 'w', 'width'), width, evenWidth(width, height));
  const h = side(optionValue(filter, 'h', 'height'), height, evenBelow(height));
  if (w === undefined || h === undefined) return undefined;
  // The form that the warning about an odd size proposes too.
  const others = filter.options.filter(({ key = '' }) => !/^(?:w|h|width|height)$/.test(key));
  return printFilter({ ...filter, inputs: [], options: [{ value: w }, { value: h }, ...others], outputs: [] });
}

/** Explains `maxrate` with `b:v`, which libsvtav1 2 and later rejects. Checks options too: media can forge this line without colour. */
export function limitWithoutQuality(facts: MediaFacts): MediaFailure | undefined {
  const isSent = facts.hasOption(/^-maxrate(?::v.*)?$/) && facts.hasOption(/^-b(?::v.*)?$/);
  if (!facts.argv.includes('libsvtav1') || !isSent) return undefined;
  return unsupportedRequest(
    'The installed libsvtav1 limits the bit rate ("maxrate") only with a quality ("crf"), not with an average ("b:v").',
    orElse(withMore(leaveOut('maxrate'), { do: 'remove', name: 'bufsize' }), sendInstead('b:v', 'crf', '35')),
  );
}

/** Explains a frame size that H.263 does not have. The encoder names only one wrong property at a time, so the message lists all sizes. */
export function sizeForH263(facts: MediaFacts): MediaFailure | undefined {
  if (!facts.argumentsOf(/^-c(?::|$)/).includes('h263')) return undefined;
  return ffmpegFailure(
    'H.263 supports only the sizes 128x96, 176x144, 352x288, 704x576 and 1408x1152.',
    orElse(sendOption('s', '352x288'), '"c:v": "mpeg4", which supports any size'),
  );
}
