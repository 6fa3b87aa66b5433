import { quoted, sendInstead, type ValueError } from '../../values/value-error.ts';

/** `v:0`, `a:1`: a stream of the output. */
const STREAM = /^([vas]):(\d{1,4})$/;

/**
 * Rejects a `var_stream_map` with two videos in one variant. ffmpeg writes both into the same segments, which players
 * cannot play: it reads commas inside a variant, and spaces between variants.
 */
export function checkVariantStreams(map: string): ValueError | undefined {
  const variants = map.trim().split(/\s+/);
  const isMixed = variants.some((variant) => videosIn(variant.split(/[,;|/]/)) > 1);
  const meant =
    isMixed || /[;|/]|,\s/.test(map) ? meantMap(map.split(/[\s,;|/]+/).filter((part) => part !== '')) : undefined;
  if (!isMixed && (meant === undefined || meant === variants.join(' '))) return undefined;
  return {
    code: 'BAD_VALUE',
    message: `"var_stream_map" separates variants by spaces, and the streams of one by commas: ${quoted(map)} has ${
      isMixed ? 'several videos in one variant' : 'another separator, or a space after a comma'
    }.`,
    allowed: ['v:0,a:0 v:1,a:1'],
    ...(meant === undefined ? {} : { fix: sendInstead(meant) }),
  };
}

const videosIn = (parts: readonly string[]): number => parts.filter((part) => /^v:\d/.test(part)).length;

/**
 * The map that is meant: a variant for each video, with what follows it. If the streams are ordered by kind
 * (`v:0,v:1,a:0,a:1`), each video gets the sound with its place, or all videos the only sound. undefined if it is not
 * clear.
 */
function meantMap(parts: readonly string[]): string | undefined {
  if (!/^v:/.test(parts[0] ?? '') || !parts.every((part) => STREAM.test(part) || /^[a-z]+:[^:]*$/.test(part)))
    return undefined;
  const isByKind = parts.every((part) => STREAM.test(part));
  const ofKind = (letter: string): readonly string[] => parts.filter((part) => STREAM.exec(part)?.[1] === letter);
  const [videos, sounds] = [ofKind('v'), ofKind('a')];
  const [sound] = sounds;
  if (new Set(parts).size < parts.length || videos.length < 2) return undefined;
  const isPaired = parts.join() === [...videos, ...sounds].join();
  if (isByKind && isPaired && sounds.length === videos.length)
    return videos.map((video, at) => `${video},${sounds[at]}`).join(' ');
  if (isByKind && isPaired && sounds.length === 1)
    return [`${sound},agroup:sound`, ...videos.map((video) => `${video},agroup:sound`)].join(' ');
  const variants: string[][] = [];
  for (const part of parts) {
    if (/^v:/.test(part)) variants.push([]);
    variants.at(-1)?.push(part);
  }
  return variants.map((variant) => variant.join(',')).join(' ');
}
