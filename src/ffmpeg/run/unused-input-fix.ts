import { type Edits, sendOption } from '../../domain/edit.ts';
import type { Hint } from '../../domain/hint.ts';
import type { OutputStream } from '../../domain/job.ts';
import { joiningFix } from '../../domain/join.ts';
import type { FinishedPass } from './finished-pass.ts';
import { inputStream, type MediaFacts, sentNameOf, streamsOf } from './media-facts.ts';

const LETTERS = { video: 'v', audio: 'a', subtitle: 's' } as const;
type Kind = keyof typeof LETTERS;
const KINDS = ['video', 'audio', 'subtitle'] as const;

/**
 * The fix for an input of which nothing was used, where its streams say what it is for: a sound replaces that of a film,
 * a film follows the other one. undefined if that is not clear.
 */
export function fixOfUnusedInput(facts: MediaFacts, used: FinishedPass['used'], input: number): Hint | undefined {
  const { argv, inputs } = facts;
  const added = soundBesideMaps(facts, used, input);
  if (added !== undefined) return added;
  if (argv.includes('-map') || facts.graphs.some(({ key }) => key === 'filter_complex') || inputs.length !== 2)
    return undefined;
  // The cover of a song is no film.
  const own = KINDS.filter((kind) =>
    streamsOf(facts, input, kind).some(({ disposition }) => disposition?.includes('attached_pic') !== true),
  );
  const [kind, ...others] = own;
  if (kind === undefined) return undefined;
  if (others.length > 0) return own.join() === 'video,audio' ? joined(facts) : undefined;
  const maps = KINDS.flatMap((one): readonly string[] => {
    if (one === kind) return [`${input}:${LETTERS[one]}`];
    const taken = used.find((stream) => inputStream(facts, stream.input, stream.stream)?.type === one);
    return taken === undefined ? [] : [mapOf(facts, taken, one)];
  });
  return maps.length < 2 ? undefined : sendOption('map', maps);
}

/** The map of a sound beside those that select no sound at all. */
function soundBesideMaps(facts: MediaFacts, used: FinishedPass['used'], input: number): Edits | undefined {
  const maps = facts.argv.flatMap((word, at) => (word === '-map' ? [facts.argv[at + 1] ?? ''] : []));
  const hasSound = used.some((one) => inputStream(facts, one.input, one.stream)?.type === 'audio');
  const isSound = KINDS.every((kind) => streamsOf(facts, input, kind).length > 0 === (kind === 'audio'));
  if (maps.length === 0 || hasSound || !isSound || facts.argv.includes('-an')) return undefined;
  return sendOption(sentNameOf(facts, 'map'), [...maps, `${input}:a`]);
}

/** A map of a stream: `0:v`, or `0:2` if its input has several of the kind. */
function mapOf(facts: MediaFacts, { input, stream }: { input: number; stream: number }, kind: Kind): string {
  const all: readonly OutputStream[] = streamsOf(facts, input, kind);
  return all.length === 1 ? `${input}:${LETTERS[kind]}` : `${input}:${stream}`;
}

const joined = ({ argv }: MediaFacts): string =>
  joiningFix({
    copies: argv.some((word, at) => /^-c(?::|$)/.test(word) && argv[at + 1] === 'copy'),
    dropped: argv.includes('-shortest') ? ['shortest'] : [],
  });
