import { addOption, type Edit, type Edits, hasEdits, leaveOut, orElse, sendOption } from '../../domain/edit.ts';
import type { OutputStream } from '../../domain/job.ts';
import type { FinishedPass, RunWarning } from './finished-pass.ts';
import {
  argumentOf,
  fieldOf,
  type MediaFacts,
  oneOrAll,
  pathOf,
  sentNameOf,
  streamsOf,
  withField,
} from './media-facts.ts';

/** Options for single streams of the output, which ffmpeg ignores silently if there is no such stream. */
const OPTION =
  /^-(metadata:s|map_metadata:s|disposition)(?::([vas])(?::(\d+))?|:(\d+))?$|^-(c|b|q|filter|ac|ar|r|s|pix_fmt):([va]):(\d+)$/;

type Letter = 'v' | 'a' | 's';

const KINDS = { v: 'video', a: 'audio', s: 'subtitle' } as const;
const WORDS = { v: 'video stream', a: 'audio stream', s: 'subtitle stream' } as const;

const MP4 = /^(?:mp4|mov|ipod|3g[p2]|f4v)$/;

/**
 * Options for streams that the output does not have: `metadata:s:s:0` of a film without subtitles, `c:a:1` of one sound.
 *
 * @param known The kinds of which `outputStreams` has all.
 */
export function unmatchedSpecifiers(
  facts: MediaFacts,
  { outputStreams }: Pick<FinishedPass, 'outputStreams'>,
  known: readonly Letter[] = ['v', 'a', 's'],
): readonly RunWarning[] {
  if (outputStreams.length === 0) return [];
  const seen = new Set<string>();
  return facts.argv.flatMap((word) => {
    const [, tag, ofTag, numberOfTag, index, setting, ofSetting, numberOfSetting] = OPTION.exec(word) ?? [];
    const [option, letter, number] =
      tag === undefined ? [setting, ofSetting, numberOfSetting] : [tag, ofTag, numberOfTag];
    const key = word.slice(1);
    if (option === undefined || seen.has(key) || fieldOf(facts, key) === undefined) return [];
    seen.add(key);
    const kind = letter as Letter | undefined;
    if (kind === undefined ? known.length < 3 : !known.includes(kind)) return [];
    const streams = outputStreams.filter(({ type }) => kind === undefined || type === KINDS[kind]);
    const wanted = number ?? index;
    const isMatched = wanted === undefined ? streams.length > 0 : Number(wanted) < streams.length;
    if (isMatched) return [];
    const what = kind === undefined ? 'stream' : WORDS[kind];
    const name = sentNameOf(facts, key);
    const count = streams.length;
    return [
      withField(facts, key, {
        code: 'NO_EFFECT',
        message: `"${name}" has no effect: the output has ${count === 0 ? `no ${what}` : `${count} ${what}${count === 1 ? '' : 's'}, counted from 0`}.`,
        fix:
          droppedStream(facts, kind, Number(wanted ?? 0), option) ??
          lastStream(facts, streams, { option, kind, wanted: Number(wanted) }) ??
          leaveOut(name),
      }),
    ];
  });
}

/** The fix for a stream that the one input has, and that ffmpeg did not take. */
function droppedStream(facts: MediaFacts, kind: Letter | undefined, wanted: number, option: string): Edits | undefined {
  if (facts.inputs.length !== 1 || kind === undefined) return undefined;
  if (streamsOf(facts, 0, KINDS[kind]).length <= wanted) return undefined;
  // ffmpeg chooses subtitles for MP4 only if the request names their codec.
  if (kind === 's' && MP4.test(facts.plan.output.muxer) && wanted === 0 && !facts.argv.includes('-map'))
    return addOption('c:s', 'mov_text');
  // One default is enough: players take the first.
  const defaults = option === 'disposition' && asksForDefault(facts, `disposition:${kind}:${wanted}`);
  const others = streamsOf(facts, 0, KINDS[kind]).flatMap(({ disposition }, number) => {
    const key = `disposition:${kind}:${number}`;
    const isOther = defaults && number !== wanted && disposition?.includes('default') === true;
    return isOther && argumentOf(facts, key) === undefined ? [{ do: 'add', name: key, value: '0' } as const] : [];
  });
  return {
    edits: [EVERY_STREAM, ...others],
    why: `this keeps all streams of ${pathOf(facts, 0)}${others.length === 0 ? '' : ', with one default'}`,
  };
}

const EVERY_STREAM: Edit = { do: 'add', name: 'map', value: '0' };

/** Whether the fix of an option maps all streams of the input, so that the output has the one that the option is for. */
export const mapsEveryStream = ({ fix }: RunWarning): boolean => hasEdits(fix) && fix.edits.includes(EVERY_STREAM);

const asksForDefault = (facts: MediaFacts, key: string): boolean =>
  argumentOf(facts, key)?.includes('default') === true;

/** The fix for the one stream of a kind, which people number from 1. Several streams can be numbered otherwise on purpose. */
function lastStream(
  facts: MediaFacts,
  { length }: readonly OutputStream[],
  { option, kind, wanted }: { readonly option: string; readonly kind: string | undefined; readonly wanted: number },
): Edits | undefined {
  const prefix = kind === undefined ? option : `${option}:${kind}`;
  const [sent, meant] = [`${prefix}:${wanted}`, `${prefix}:${wanted - 1}`];
  const values = facts.argv.flatMap((word, at) => (word === `-${sent}` ? [facts.argv[at + 1] ?? ''] : []));
  if (kind === undefined || length === 0 || wanted !== length || facts.argv.includes(`-${meant}`)) return undefined;
  return orElse(sendOption(meant, oneOrAll(values)), leaveOut(sentNameOf(facts, sent)));
}
