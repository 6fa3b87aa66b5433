import type { Failure } from '../../../domain/failure.ts';
import { sendInstead } from '../graph-fixes.ts';
import { type MediaFacts, sentNameOf } from '../media-facts.ts';
import { failed } from './media-failure.ts';

const KINDS = ['video', 'audio', 'subtitle'] as const;

/** `c`, or `c:1`: options for streams of every kind. */
const ANY_KIND = /^-(c(?::\d+)?)$/;

/** An encoder that got a stream of another kind, because its option is for all streams: `codec`, `c`. */
export function encoderOfOtherKind(encoder: string, facts: MediaFacts): Failure | undefined {
  const { argv, plan } = facts;
  const key = argv.flatMap((word, at) => (argv[at + 1] === encoder ? (ANY_KIND.exec(word)?.[1] ?? []) : [])).at(-1);
  if (key === undefined) return undefined;
  const known = KINDS.filter((kind) => plan.encoders?.[kind]?.some((one) => one !== 'copy') === true);
  // The plan has the name of the encoder where the client sent that of a codec.
  const [kind, ...others] = known.some((one) => plan.encoders?.[one]?.includes(encoder))
    ? known.filter((one) => plan.encoders?.[one]?.includes(encoder))
    : known.filter((one) => !argv.some((word) => word.startsWith(`-c:${one.charAt(0)}`)));
  if (kind === undefined || others.length > 0) return undefined;
  const name = sentNameOf(facts, key);
  return failed(
    'UNSUPPORTED',
    key === 'c'
      ? `"${name}" is for all streams of the output, and ${encoder} is an encoder only for ${kind}.`
      : `"${name}" is for a stream of another kind: ${encoder} is an encoder for ${kind}.`,
    sendInstead(name, `c:${kind.charAt(0)}`, encoder),
  );
}
