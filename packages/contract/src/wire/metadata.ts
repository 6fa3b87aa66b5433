import { z } from 'zod';
import { type Metadata, REQUEST_LIMITS } from '../domain/conversion.ts';
import { pointerToken } from '../domain/problem.ts';
import { issue } from './described-schemas.ts';

/** The prefix of query parameters that select jobs by a metadata value: `metadata.order=A-1042`. */
const METADATA_PREFIX = 'metadata.';

const { metadataBytes, metadataNameLength } = REQUEST_LIMITS;

/** Names that need no quotes in a query: letters, digits and `_ - . :`. */
const NAME = new RegExp(`^[\\w.:-]{1,${metadataNameLength}}$`);

const NAME_RULE = `name in "metadata" has 1 to ${metadataNameLength} letters, digits, "_", "-", "." and ":".`;

const value = z.string().meta({ examples: ['A-1042'] });

/** Data of the client about a job. It is flat and all values are strings, so that `metadata.NAME=VALUE` can select jobs. */
export const metadata = z
  .record(z.string(), value)
  .superRefine((data, { addIssue }) => {
    for (const name of Object.keys(data))
      if (!NAME.test(name)) addIssue(issue([name], 'INVALID_NAME', `A ${NAME_RULE}`));
    const bytes = new TextEncoder().encode(JSON.stringify(data)).length;
    if (bytes > metadataBytes)
      addIssue(
        issue([], 'TOO_LONG', `"metadata" has ${bytes} bytes as JSON in UTF-8; at most ${metadataBytes} are allowed.`),
      );
  })
  .meta({
    id: 'Metadata',
    description:
      `Your own data about the job: strings by names, at most ${metadataBytes} bytes as JSON. The job shows it everywhere, ` +
      'and lists select jobs by it. It is not written to the output; tags of the output are `metadata` in `parameters`.',
    examples: [{ order: 'A-1042' }],
  });

/** The metadata in the query of a list. undefined: the query contains none. */
export function metadataOfQuery(query: Readonly<Record<string, unknown>>): Metadata | undefined {
  const pairs = Object.entries(query).flatMap(([name, text]) =>
    name.startsWith(METADATA_PREFIX) && typeof text === 'string'
      ? [[name.slice(METADATA_PREFIX.length), text] as const]
      : [],
  );
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}

/** The maximum number of `metadata.NAME` parameters in one query. */
const MAX_SELECTED = 10;

/** Adds the parameters `metadata.NAME` to the query of a list. Other unknown parameters are rejected. */
export const withMetadataQuery = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object(shape)
    .catchall(z.unknown())
    .superRefine((query, { addIssue }) => {
      const others = Object.keys(query).filter((name) => !Object.hasOwn(shape, name));
      const unknown = others.filter((name) => !name.startsWith(METADATA_PREFIX));
      if (unknown.length > 0) addIssue({ code: 'unrecognized_keys', keys: unknown, input: query });
      const selected = others.filter((name) => name.startsWith(METADATA_PREFIX));
      if (selected.length > MAX_SELECTED)
        addIssue(
          issue(
            [],
            'TOO_MANY',
            `The query selects ${selected.length} metadata values; at most ${MAX_SELECTED} are allowed.`,
          ),
        );
      for (const name of selected)
        if (!NAME.test(name.slice(METADATA_PREFIX.length)))
          addIssue(issue([name], 'INVALID_NAME', `No job has "${pointerToken(name)}": a ${NAME_RULE}`));
        else if (typeof query[name] !== 'string')
          addIssue(issue([name], 'REPEATED', `"${pointerToken(name)}" is set more than once.`));
    });
