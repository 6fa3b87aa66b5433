import { sendMembers, sendOption } from '@telecine/contract/domain/edit.ts';
import { type Kind, letterOf, type MediaFacts } from '../facts/media-facts.ts';
import { ffmpegFailure, type MediaFailure } from './media-failure.ts';

/** Matches an option for a single stream, such as `s:v:1` or `b:v:0`. With such options, HLS variants differ. */
const OF_VARIANT = /^-\w[\w-]*:(?:v:)?\d{1,2}$/;

export const hasOwnVariants = (facts: MediaFacts): boolean => facts.hasOption(OF_VARIANT);

/** The beginning of a fix for HLS variants that are the same video. The recipe `hls` chooses sizes that fit the video. */
export const OWN_VARIANTS =
  'For a ladder of sizes, send "preset": {"name": "hls"} instead of "map" and "var_stream_map". For your own variants, send a size and a rate of each, "s:v:1" and "b:v:1",';

/** Explains `v:2` in `var_stream_map` for an output with two videos. `facts.used` must have all video and audio streams of the output. */
export function absentVariants(facts: MediaFacts): MediaFailure | undefined {
  const text = facts.argumentOf('var_stream_map') ?? '';
  const named = text.split(/[\s,]+/).flatMap((part) => {
    const [, letter, number] = /^([va]):(\d{1,3})$/.exec(part) ?? [];
    return letter === undefined
      ? []
      : [{ part, kind: letter === 'v' ? 'video' : 'audio', number: Number(number) } as const];
  });
  const sources = { video: sourcesOf(facts, 'video'), audio: sourcesOf(facts, 'audio') };
  const absent = named.find(({ kind, number }) => number >= sources[kind].length);
  if (absent === undefined) return undefined;
  const missing = named.filter(({ kind }) => sources[kind].length === 0).map(({ part }) => part);
  const withoutMissing = (variant: string): string =>
    variant
      .split(',')
      .filter((part) => !missing.includes(part))
      .join(',');
  const variants = text
    .split(/\s+/)
    .map(withoutMissing)
    .filter((variant) => /(?:^|,)[vas]:\d/.test(variant));
  const maps = (['video', 'audio'] as const).flatMap((kind) => {
    const from = sources[kind];
    const numbers = named.filter((one) => one.kind === kind).map(({ number }) => number + 1);
    const length = from.length === 0 ? 0 : Math.max(from.length, ...numbers);
    return Array.from({ length }, (_one, at) => from[at % from.length]);
  });
  const { kind } = absent;
  const sent = { map: maps, ...(missing.length > 0 && { var_stream_map: variants.join(' ') }) };
  const count = sources[kind].length;
  return ffmpegFailure(
    `"var_stream_map" names the stream ${absent.part}, and the output has ${count === 0 ? `no ${kind}` : `only ${count} ${kind} ${count === 1 ? 'stream' : 'streams'}`}.`,
    // The fix maps the same video several times, and each copy needs its own size and bit rate.
    kind === 'video' && count > 0 && !hasOwnVariants(facts)
      ? `${OWN_VARIANTS} with ${JSON.stringify(sent).slice(1, -1)}.`
      : sendMembers(sent),
  );
}

/** Returns a `map` for each output stream of one kind: `0:v`, or `0:2` if the input has several streams of this kind. */
const sourcesOf = (facts: MediaFacts, kind: Kind): readonly string[] =>
  facts
    .usedOf(kind)
    .map(({ input, stream }) =>
      facts.streamsOf(input, kind).length === 1 ? `${input}:${letterOf(kind)}` : `${input}:${stream}`,
    );

/** Explains `adaptation_sets` without a set for the video or the audio of the output. ffmpeg then writes nothing. */
export function unmappedSets(facts: MediaFacts): MediaFailure | undefined {
  const text = facts.argumentOf('adaptation_sets');
  if (text === undefined || facts.plan.output.muxer !== 'dash' || /streams=[^ ]*\d/.test(text)) return undefined;
  const missing = (['video', 'audio'] as const).find(
    (kind) => sourcesOf(facts, kind).length > 0 && !new RegExp(`streams=(?:[va],)*${letterOf(kind)}\\b`).test(text),
  );
  if (missing === undefined) return undefined;
  const ids = [...text.matchAll(/\bid=(\d{1,4})/g)].map(([, id]) => Number(id));
  return ffmpegFailure(
    `"adaptation_sets" has no set for the ${missing} of the output, and each stream needs one.`,
    sendOption('adaptation_sets', `${text} id=${Math.max(-1, ...ids) + 1},streams=${letterOf(missing)}`),
  );
}
