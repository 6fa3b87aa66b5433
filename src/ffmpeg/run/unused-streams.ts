import type { OutputStream } from '../../domain/job.ts';
import type { ForeseenPass, RunWarning } from './finished-pass.ts';
import type { OptionFacts } from './option-facts.ts';

const LETTERS: Readonly<Record<string, string>> = { video: 'v', audio: 'a', subtitle: 's' };
const ORDER = Object.keys(LETTERS);

const isCover = ({ disposition }: OutputStream): boolean => disposition?.includes('attached_pic') === true;

/** Further video and audio streams, of which ffmpeg chooses one of each kind where the request has no `map`. */
export function unusedStreams(
  { plan, inputs, used }: ForeseenPass,
  options: Pick<OptionFacts, 'has' | 'hasComplexGraph'>,
): readonly RunWarning[] {
  const [input, planned] = [inputs[0], plan.inputs[0]];
  if (options.has('map') || options.hasComplexGraph || inputs.length !== 1 || input === undefined) return [];
  const taken = used.flatMap(({ stream }) => input.streams.find(({ index }) => index === stream) ?? []);
  return (['video', 'audio'] as const).flatMap((kind) => {
    const all = input.streams.filter((stream) => stream.type === kind && !isCover(stream));
    const one = taken.find(({ type }) => type === kind);
    if (planned === undefined || one === undefined || all.length < 2) return [];
    const others = taken.filter(({ type }) => type !== kind);
    // A capital letter leaves covers out.
    const letter = input.streams.filter(({ type }) => type === kind).length > all.length ? 'V' : LETTERS[kind];
    const number = all.indexOf(one) === 0 ? 1 : 0;
    return [
      {
        field: planned.field,
        code: 'UNUSED_STREAM',
        message: `"${planned.path}" has ${all.length} ${kind} streams, and the output has one of them (0:${one.index}).`,
        fix: `Send "map": ${maps(input.streams, others, kind, `0:${letter}`)} for all of them, or "map": ${maps(input.streams, others, kind, `0:${letter}:${number}`)} for another one.`,
      },
    ];
  });
}

/**
 * The value of `map` for a fix: the streams of other kinds that the output has (`others`), and `own`, the stream of `kind`
 * that it should have.
 */
function maps(all: readonly OutputStream[], others: readonly OutputStream[], kind: string, own: string): string {
  const isOnly = (type: string): boolean => all.filter((stream) => stream.type === type).length === 1;
  const kept = others.map(({ type, index }): readonly [string, string] => [
    type,
    isOnly(type) && type in LETTERS ? `0:${LETTERS[type]}` : `0:${index}`,
  ]);
  const sorted = [...kept, [kind, own] as const]
    .toSorted(([a], [b]) => ORDER.indexOf(a) - ORDER.indexOf(b))
    .map(([, map]) => map);
  return JSON.stringify(sorted.length === 1 ? sorted[0] : sorted);
}
