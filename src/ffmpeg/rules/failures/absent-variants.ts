import { sendMembers, sendOption } from '../../../domain/edit.ts';
import type { Failure } from '../../../domain/failure.ts';
import type { Kind, MediaFacts } from '../facts/media-facts.ts';
import { failed } from './media-failure.ts';

/** An option of one of the pictures: `s:v:1`, `b:v:0`. */
const OF_VARIANT = /^-\w[\w-]*:(?:v:)?\d{1,2}$/;

/** Whether variants get pictures of their own. */
export const hasOwnVariants = ({ argv }: MediaFacts): boolean => argv.some((word) => OF_VARIANT.test(word));

/** The beginning of the fix for variants with the same picture. The recipe has sizes that suit the film. */
export const OWN_VARIANTS =
  'For a ladder of sizes, send "preset": {"name": "hls"} instead of "map" and "var_stream_map". For your own variants, send a size and a rate of each, "s:v:1" and "b:v:1",';

const KINDS = { v: 'video', a: 'audio' } as const;

/** A `var_stream_map` that names streams which the output does not have. `facts.used` has all pictures and sound of the output. */
export function absentVariants(facts: MediaFacts): Failure | undefined {
  const text = facts.argumentOf('var_stream_map');
  const named = (text ?? '').split(/[\s,]+/).flatMap((part) => {
    const [, letter, number] = /^([va]):(\d{1,3})$/.exec(part) ?? [];
    return letter === 'v' || letter === 'a' ? [{ part, letter, number: Number(number) } as const] : [];
  });
  const sources = {
    v: sourcesOf(facts, 'video'),
    a: sourcesOf(facts, 'audio'),
  };
  const absent = named.find(({ letter, number }) => number >= sources[letter].length);
  if (text === undefined || absent === undefined) return undefined;
  const missing = named.filter(({ letter }) => sources[letter].length === 0).map(({ part }) => part);
  const variants = text
    .split(/\s+/)
    .map((variant) =>
      variant
        .split(',')
        .filter((part) => !missing.includes(part))
        .join(','),
    )
    .filter((variant) => /(?:^|,)[vas]:\d/.test(variant));
  const maps = (['v', 'a'] as const).flatMap((letter) => {
    const count = Math.max(0, ...named.filter((one) => one.letter === letter).map(({ number }) => number + 1));
    const from = sources[letter];
    return Array.from(
      { length: from.length === 0 ? 0 : Math.max(count, from.length) },
      (_one, at) => from[at % from.length],
    );
  });
  const kind = KINDS[absent.letter];
  const sent = { map: maps, ...(missing.length > 0 && { var_stream_map: variants.join(' ') }) };
  const count = sources[absent.letter].length;
  return failed(
    'FFMPEG_FAILED',
    `"var_stream_map" names the stream ${absent.part}, and the output has ${count === 0 ? `no ${kind}` : `only ${count} ${kind} ${count === 1 ? 'stream' : 'streams'}`}.`,
    // One picture several times needs options of its own for each.
    absent.letter === 'v' && count > 0 && !hasOwnVariants(facts)
      ? `${OWN_VARIANTS} with ${JSON.stringify(sent).slice(1, -1)}.`
      : sendMembers(sent),
  );
}

/** What `map` calls the streams of one kind in the output: `0:v`, or `0:2` if the input has several. */
const sourcesOf = (facts: MediaFacts, kind: Kind): readonly string[] =>
  facts.used.flatMap(({ input, stream }) => {
    if (facts.inputStream(input, stream)?.type !== kind) return [];
    return facts.streamsOf(input, kind).length === 1 ? [`${input}:${kind.charAt(0)}`] : [`${input}:${stream}`];
  });

/** Sets of a DASH manifest that leave out a kind of stream which the output has: ffmpeg then writes nothing. */
export function unmappedSets(facts: MediaFacts): Failure | undefined {
  const text = facts.argumentOf('adaptation_sets');
  if (text === undefined || facts.plan.output.muxer !== 'dash' || /streams=[^ ]*\d/.test(text)) return undefined;
  const missing = (['v', 'a'] as const).filter(
    (letter) => sourcesOf(facts, KINDS[letter]).length > 0 && !new RegExp(`streams=(?:[va],)*${letter}\\b`).test(text),
  );
  const [letter] = missing;
  const ids = [...text.matchAll(/\bid=(\d{1,4})/g)].map(([, id]) => Number(id));
  if (letter === undefined) return undefined;
  return failed(
    'FFMPEG_FAILED',
    `"adaptation_sets" has no set for the ${KINDS[letter]} of the output, and each stream needs one.`,
    sendOption('adaptation_sets', `${text} id=${Math.max(-1, ...ids) + 1},streams=${letter}`),
  );
}

/** `adaptation_sets` names a stream that the output does not have. */
export function absentSetStream(facts: MediaFacts, stream: string): Failure | undefined {
  const kinds = (['video', 'audio'] as const).filter((kind) =>
    facts.inputs.some((_one, input) => facts.streamsOf(input, kind).length > 0),
  );
  if (kinds.length === 0 || facts.argv.includes('-map')) return undefined;
  const sets = kinds.map((kind, index) => `id=${index},streams=${kind.charAt(0)}`).join(' ');
  return failed(
    'FFMPEG_FAILED',
    `"adaptation_sets" names the stream ${stream}, and the output has only ${kinds.join(' and ')}.`,
    sendOption('adaptation_sets', sets),
  );
}
