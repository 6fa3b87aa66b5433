import type { OutputStream } from '../../domain/job.ts';
import type { RunWarning } from './finished-pass.ts';
import { fieldOf, type MediaFacts, pathOf, sentNameOf, streamsOf, withField } from './media-facts.ts';

const KINDS = { v: 'video', a: 'audio' } as const;

/** Options for a kind of stream that no input has: `c:v` and `vf` for a song. */
export function optionsWithoutStream(
  facts: MediaFacts,
  outputStreams: readonly Pick<OutputStream, 'type'>[],
): readonly RunWarning[] {
  if (facts.used.length === 0 || facts.argv.includes('-filter_complex')) return [];
  return Object.entries(KINDS).flatMap(([letter, kind]) => {
    if (outputStreams.some(({ type }) => type === kind) || facts.argv.includes(`-${letter}n`)) return [];
    if (facts.inputs.some((_one, input) => streamsOf(facts, input, kind).length > 0)) return [];
    const keys = ['filter', 'c'].map((name) => `${name}:${letter}`);
    const sent = keys.filter((key) => {
      const at = facts.argv.indexOf(`-${key}`);
      return at >= 0 && facts.argv[at + 1] !== 'copy' && fieldOf(facts, key) !== undefined;
    });
    const [first] = sent;
    if (first === undefined) return [];
    const names = sent.map((key) => `"${sentNameOf(facts, key)}"`).join(' and ');
    const paths = facts.inputs.map((_one, input) => pathOf(facts, input)).join(', ');
    return [
      withField(facts, first, {
        code: 'NO_EFFECT',
        message: `${names} ${sent.length === 1 ? 'has' : 'have'} no effect: ${paths} ${facts.inputs.length === 1 ? 'has' : 'have'} no ${kind}, so the output has none.`,
        fix: {
          edits: sent.map((key) => ({ do: 'remove', name: sentNameOf(facts, key) })),
          or:
            kind === 'video'
              ? 'send a picture as another input, with "loop": "1" in its "parameters" and "shortest": ""'
              : 'send a file with sound as another input',
        },
        ...(kind === 'video' && {
          withoutPicture: { files: paths, options: sent.flatMap((key) => fieldOf(facts, key) ?? []) },
        }),
      }),
    ];
  });
}
