import { leaveOut, sendMembers, sendOption, withMore } from '@telecine/contract/domain/edit.ts';
import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { readOffset, writeOffset } from '@telecine/contract/wire/paging.ts';
import { z } from 'zod';
import {
  CAPABILITY_KINDS,
  type CapabilityDetail,
  type CapabilityItem,
  capabilityDetail,
  searchCapabilities,
} from '../capabilities/capability-item.ts';
import type { McpDeps } from '../deps.ts';
import { fitJson } from '../results/output-links.ts';
import { defineTool } from '../tool.ts';

/** The maximum length of a result, in characters. */
const MAX_CHARACTERS = 6000;
const MAX_FACTS = 40;

interface Arguments {
  readonly kind: (typeof CAPABILITY_KINDS)[number] | 'all';
  readonly query?: string;
  readonly name?: string;
  readonly use?: 'input' | 'output';
  readonly of?: string;
  readonly cursor?: string;
}

/**
 * Throws INVALID_REQUEST for "of" with a kind other than "options". The error suggests what the client probably means:
 * an item of this kind, or a component with options.
 */
async function rejectOf(
  { kind, name, of, query }: Arguments,
  { capabilities }: Pick<McpDeps, 'capabilities'>,
): Promise<void> {
  if (of === undefined || kind === 'all' || kind === 'options') return;
  const kinds = kind === 'codecs' ? (['codecs', 'formats'] as const) : ([kind] as const);
  let found: string | undefined;
  for (const one of kinds)
    found ??= await capabilityDetail(capabilities, one, of).then(
      () => one,
      () => undefined,
    );
  const fix =
    name !== undefined
      ? leaveOut('of')
      : found === undefined || query !== undefined
        ? sendOption('kind', 'options')
        : withMore(sendMembers({ kind: found, name: of }), { do: 'remove', name: 'of' });
  const ofFormat = found === 'formats' && kind === 'codecs' ? ' A format names its default codecs.' : '';
  throw invalidRequest([
    {
      field: '/kind',
      code: 'EXCLUSIVE',
      message: `"of" chooses the owner of options, and "kind" is "${kind}".${ofFormat}`,
      fix,
    },
  ]);
}

/** Returns a sentence about arguments that have no effect. undefined: all have an effect. */
function ignored({ kind, query, name, use, of, cursor }: Arguments): string | undefined {
  const isOfUse = kind === 'formats' || kind === 'codecs' || kind === 'all' || of !== undefined;
  const without = Object.entries({
    query: name !== undefined && query !== undefined,
    use: use !== undefined && (name !== undefined || !isOfUse),
    cursor: name !== undefined && of === undefined && cursor !== undefined,
  }).flatMap(([key, isIgnored]) => (isIgnored ? [`"${key}"`] : []));
  return without.length === 0
    ? undefined
    : `${without.join(' and ')} ${without.length === 1 ? 'has' : 'have'} no effect with ${name === undefined ? `"kind": "${kind}"` : '"name"'}.`;
}

const item = z.object({ kind: z.enum(CAPABILITY_KINDS), name: z.string() });

/** The result, as `tools/list` describes it. Items have the properties of `capabilityItem`. */
const output = z.object({
  items: z.array(item),
  options: z.array(item).optional(),
  nextCursor: z.string().optional(),
});

export const describeCapabilitiesTool = defineTool({
  name: 'describe_capabilities',
  title: 'Find formats, codecs, filters and options',
  description: (
    has,
  ) => `Lists the formats, codecs, filters and options that the installed ffmpeg supports and this service allows, by their names in ffmpeg.
- Search: {"query": "loudness"} in all kinds, or {"kind": "codecs", "query": "h264", "use": "output"}.
- One item: {"kind": "codecs", "name": "libx264"}, {"kind": "filters", "name": "scale"}, {"kind": "options", "name": "crf"} returns ranges, defaults and named values.
- The options of one encoder, format or filter: {"kind": "options", "of": "libx264", "query": "adaptive"}.
${has('convert_media') ? 'convert_media accepts' : 'Conversions accept'} nothing that is not listed here.`,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    kind: z.enum([...CAPABILITY_KINDS, 'all']).default('all'),
    query: z.string().max(200).exactOptional().meta({
      description: 'Words to find in names and descriptions. If nothing matches, the result has similar names.',
    }),
    name: z.string().min(1).max(100).exactOptional().meta({ description: 'The exact name of one item.' }),
    use: z
      .enum(['input', 'output'])
      .exactOptional()
      .meta({ description: 'Only formats and codecs that can be read ("input") or written ("output").' }),
    of: z
      .string()
      .min(1)
      .max(100)
      .exactOptional()
      .meta({ description: 'With kind "options": only options of this encoder, format or filter.' }),
    limit: z.int().min(1).max(30).default(10).meta({ description: 'Items per page and kind.' }),
    cursor: z
      .string()
      .max(200)
      .exactOptional()
      .meta({ description: 'The "nextCursor" of the previous page, with the same "kind".' }),
  }),
  output,
  check: async (args, { deps }) => {
    await rejectOf(args, deps);
    return { warnings: [] };
  },
  run: async (args, { deps }) => {
    await rejectOf(args, deps);
    const { note, ...rest } = await find(args, deps);
    const notes = [note, ignored(args)].filter((one) => one !== undefined);
    return { structured: { ...rest, ...(notes.length > 0 && { note: notes.join(' ') }) } };
  },
});

interface WithNote {
  readonly note?: string;
  readonly [member: string]: unknown;
}

async function find(
  { kind: sentKind, name: sentName, cursor, ...query }: Arguments & { readonly limit: number },
  { capabilities }: Pick<McpDeps, 'capabilities'>,
): Promise<WithNote> {
  // A name may begin with a dash, as on a command line.
  const named = sentName?.replace(/^--?(?=[a-z])/i, '');
  // "of" is only about options, so "name" is then a search word.
  const kind = sentKind === 'all' && query.of !== undefined ? 'options' : sentKind;
  const [name, words] = query.of === undefined ? [named, query.query] : [undefined, named ?? query.query];
  const search = { ...query, ...(words !== undefined && { query: words }) };
  if (kind === 'all') {
    if (cursor !== undefined) throw missingKind();
    if (name !== undefined) return fitting(await detailOfAnyKind(capabilities, name));
    // Only formats and codecs can be read or written.
    const kinds = query.use === undefined ? CAPABILITY_KINDS : (['formats', 'codecs'] as const);
    const pages = await Promise.all(
      kinds.map((each) => searchCapabilities(capabilities, each, { ...search, from: 0 })),
    );
    // If nothing matches, a kind returns similar names. Leave these out if another kind has matches.
    const found = pages.filter(({ note }) => note === undefined);
    const shown = found.length > 0 ? found : pages;
    const more = shown.some(({ next }) => next !== undefined);
    return fitting({
      items: shown.flatMap(({ items }) => items),
      note: more
        ? 'There are more. Narrow the search with "kind" or more words.'
        : shown.find(({ note }) => note !== undefined)?.note,
    });
  }
  if (name !== undefined) return fitting(await capabilityDetail(capabilities, kind, name));
  const from = readOffset(cursor);
  const { items, next, note } = await searchCapabilities(capabilities, kind, { ...search, from });
  const shown = fitJson(items, MAX_CHARACTERS);
  // The next page starts with the first item that did not fit.
  const after = shown.length < items.length ? from + shown.length : next;
  return { ...fitting({ items: shown, note }), ...(after !== undefined && { nextCursor: writeOffset(after) }) };
}

interface Found extends Partial<CapabilityDetail> {
  readonly items: readonly CapabilityItem[];
  readonly note?: string | undefined;
}

const more = (count: number, what: string): string => `${count} more ${what}${count === 1 ? ' is' : 's are'}`;

/** Shortens a result to `MAX_CHARACTERS`, and adds a note about what was left out. */
function fitting({ items, options = [], facts = {}, note }: Found): WithNote {
  const shown = fitJson(items, MAX_CHARACTERS);
  const fewFacts = Object.fromEntries(
    Object.entries(facts).map(([name, values]) => [name, values.slice(0, MAX_FACTS)] as const),
  );
  const room = MAX_CHARACTERS - JSON.stringify([shown, fewFacts]).length;
  const fewOptions = fitJson(options, room);
  const cut = [
    shown.length < items.length &&
      `${more(items.length - shown.length, 'item')} left out. Use a smaller "limit", or "name".`,
    fewOptions.length < options.length &&
      `${more(options.length - fewOptions.length, 'option')} left out. To find them: {"kind": "options", "of": "${shown[0]?.name ?? ''}", "query": WORDS}.`,
  ].filter((one) => one !== false);
  const notes = [note, ...cut].filter((one) => one !== undefined);
  return {
    items: shown,
    ...(fewOptions.length > 0 && { options: fewOptions }),
    ...(Object.keys(fewFacts).length > 0 && { facts: fewFacts }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

/** Returns the details of all items with this name, of any kind. Throws NOT_FOUND if there is none. */
async function detailOfAnyKind(capabilities: McpDeps['capabilities'], name: string): Promise<Found> {
  const kinds = ['codecs', 'filters', 'formats', 'options'] as const;
  const found: (CapabilityDetail & { readonly kind: string })[] = [];
  let missing: unknown;
  for (const kind of kinds)
    try {
      found.push({ ...(await capabilityDetail(capabilities, kind, name)), kind });
    } catch (error) {
      if (!(error instanceof Problem) || error.code === 'INTERNAL') throw error;
      missing ??= error;
    }
  const [first, ...others] = found;
  if (first === undefined) throw notFound(name, missing);
  if (others.length === 0) return first;
  return {
    items: found.flatMap(({ items }) => items),
    note: `Several kinds have this name. For the options of one: ${found.map(({ kind }) => JSON.stringify({ kind, name })).join(' or ')}.`,
  };
}

const notFound = (name: string, cause: unknown): Problem =>
  new Problem('NOT_FOUND', `No format, codec, filter or option has the name ${JSON.stringify(name)}.`, {
    fix: `Call describe_capabilities with {"query": ${JSON.stringify(name)}} for similar names.`,
    cause,
  });

const missingKind = () =>
  invalidRequest([
    {
      field: '/kind',
      code: 'MISSING',
      message: '"cursor" requires a "kind".',
      allowed: CAPABILITY_KINDS,
      fix: 'Send the "kind" of the previous page.',
    },
  ]);
