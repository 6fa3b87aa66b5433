import { addOption, orElse, sendMember, sendOption } from '@telecine/contract/domain/edit.ts';
import { extension, withExtension } from '@telecine/contract/domain/media-path.ts';
import { andList } from '@telecine/contract/domain/quantity.ts';
import { encodersOfMuxer, muxerRejectsCodec, nearestCodec } from '../../allowlist/container-codecs.ts';
import { formatText } from '../../log/classify.ts';
import { sendInstead } from '../facts/graph-fixes.ts';
import { isImageSubtitle } from '../facts/image-subtitles.ts';
import { KINDS, letterOf, type MediaFacts } from '../facts/media-facts.ts';
import { type MediaFailure, unsupportedRequest } from './media-failure.ts';
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
