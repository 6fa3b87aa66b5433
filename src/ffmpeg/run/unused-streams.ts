import type { OutputStream } from '../../domain/job.ts';
import { andList } from '../../domain/quantity.ts';
import { isPictureSubtitle } from './causes/picture-subtitles.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import type { OptionFacts } from './option-facts.ts';

const LETTERS: Readonly<Record<string, string>> = { video: 'v', audio: 'a', subtitle: 's' };
const ORDER = Object.keys(LETTERS);

const isCover = ({ disposition }: OutputStream): boolean => disposition?.includes('attached_pic') === true;

/** Muxers for which ffmpeg selects subtitles without an option. */
const WITH_SUBTITLES = /^(?:matroska|webm)$/;

/**
 * Warns if an input has several streams of a kind, and ffmpeg selects one of them because the request has no `map`. The fix keeps the
 * output's streams of other kinds.
 */
export function unusedStreams(
  { plan, inputs, used }: ForeseenPass,
  options: Pick<OptionFacts, 'has' | 'hasComplexGraph'>,
): readonly RunWarning[] {
  const [input, planned] = [inputs[0], plan.inputs[0]];
  if (options.has('map') || options.hasComplexGraph || inputs.length !== 1) return [];
  if (input === undefined || planned === undefined) return [];
  const read = used.flatMap(({ stream }) => input.streams.find(({ index }) => index === stream) ?? []);
  const taken = [...read, ...foreseenSubtitles(input.streams, read, plan.passes.at(-1) ?? [], plan.output.muxer)];
  const several = ORDER.flatMap((kind) => {
    const all = input.streams.filter((stream) => stream.type === kind && !isCover(stream));
    const one = taken.find(({ type }) => type === kind);
    if (one === undefined || all.length < 2 || taken.filter(({ type }) => type === kind).length > 1) return [];
    // A capital letter leaves covers out.
    const letter = input.streams.filter(({ type }) => type === kind).length > all.length ? 'V' : LETTERS[kind];
    return [
      { kind, count: all.length, one, every: `0:${letter}`, other: `0:${letter}:${all.indexOf(one) === 0 ? 1 : 0}` },
    ];
  });
  // Several subtitles are mostly languages, of which one is wanted: alone they are no reason for a warning.
  if (!several.some(({ kind }) => kind !== 'subtitle')) return [];
  const others = taken.filter(({ type }) => !several.some(({ kind }) => kind === type));
  const [all, another] = (['every', 'other'] as const).map((which) =>
    maps(
      input.streams,
      others,
      several.map((one) => [one.kind, one[which]] as const),
    ),
  );
  const counts = andList(several.map(({ kind, count }) => `${count} ${kind} streams`));
  const had = several.map(({ one }) => `0:${one.index}`).join(', ');
  const isOne = several.length === 1;
  return [
    {
      field: planned.field,
      code: 'UNUSED_STREAM',
      message: `"${planned.path}" has ${counts}, and the output has one of ${isOne ? 'them' : 'each'} (${had}).`,
      fix: `Send "map": ${all} for all of them, or "map": ${another} for ${isOne ? 'another one' : 'the others'}.`,
    },
  ];
}

/** The subtitle stream that ffmpeg will select. `used` of an estimate has no subtitles, because they are small. */
function foreseenSubtitles(
  all: readonly OutputStream[],
  read: readonly OutputStream[],
  argv: readonly string[],
  muxer: string,
): readonly OutputStream[] {
  const isTaken = (argv.includes('-c:s') || WITH_SUBTITLES.test(muxer)) && !argv.includes('-sn');
  if (!isTaken || read.some(({ type }) => type === 'subtitle')) return [];
  // Unless they are copied, ffmpeg converts text only to text, and pictures only to pictures.
  const isCopied = argv[argv.indexOf('-c:s') + 1] === 'copy';
  const found = all.filter(({ type, codec }) => type === 'subtitle' && (isCopied || !isPictureSubtitle(codec)));
  return found.length < all.filter(({ type }) => type === 'subtitle').length ? [] : found.slice(0, 1);
}

/**
 * The value of `map` for a fix: the streams of other kinds that the output has (`others`), and the specifiers in `own`,
 * each with its kind.
 */
function maps(
  all: readonly OutputStream[],
  others: readonly OutputStream[],
  own: readonly (readonly [kind: string, specifier: string])[],
): string {
  const isOnly = (type: string): boolean => all.filter((stream) => stream.type === type).length === 1;
  const kept = others.map(({ type, index }): readonly [string, string] => [
    type,
    isOnly(type) && type in LETTERS ? `0:${LETTERS[type]}` : `0:${index}`,
  ]);
  const sorted = [...kept, ...own].toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b)).map(([, map]) => map);
  return JSON.stringify(sorted.length === 1 ? sorted[0] : sorted);
}
