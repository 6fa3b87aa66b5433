import { z } from 'zod';
import { invalidRequest } from '../../domain/problem.ts';
import { readOffset, writeOffset } from '../../wire/cursor.ts';
import { type CapabilityDetail, capabilityDetail } from '../capabilities/capability-detail.ts';
import { CAPABILITY_KINDS, type CapabilityItem } from '../capabilities/capability-item.ts';
import { searchCapabilities } from '../capabilities/capability-search.ts';
import { fitJson } from '../results/fit-json.ts';
import { defineTool } from '../tool.ts';

/** The maximum length of a result. */
const MAX_CHARACTERS = 6000;
const MAX_FACTS = 40;

const item = z.object({ kind: z.enum(CAPABILITY_KINDS), name: z.string() });

/** What `tools/list` says of a result. Items have the properties of `capabilityItem`. */
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
    name: z
      .string()
      .min(1)
      .max(100)
      .exactOptional()
      .meta({ description: 'The exact name of one item; requires "kind".' }),
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
  run: async ({ kind, name, cursor, ...query }, { deps }) => {
    const { capabilities } = deps;
    if (kind === 'all') {
      if (name !== undefined || cursor !== undefined || query.of !== undefined) throw missingKind();
      const pages = await Promise.all(
        CAPABILITY_KINDS.map((each) => searchCapabilities(capabilities, each, { ...query, from: 0 })),
      );
      // A kind without a match returns similar names. Omit those if another kind has matches.
      const found = pages.filter(({ note }) => note === undefined);
      const shown = found.length > 0 ? found : pages;
      const more = shown.some(({ next }) => next !== undefined);
      return {
        structured: fitting({
          items: shown.flatMap(({ items }) => items),
          note: more
            ? 'There are more. Narrow the search with "kind" or more words.'
            : shown.find(({ note }) => note !== undefined)?.note,
        }),
      };
    }
    if (name !== undefined) return { structured: fitting(await capabilityDetail(capabilities, kind, name)) };
    const from = readOffset(cursor);
    const { items, next, note } = await searchCapabilities(capabilities, kind, { ...query, from });
    const shown = fitJson(items, MAX_CHARACTERS);
    // The next page begins with the first item that did not fit.
    const after = shown.length < items.length ? from + shown.length : next;
    return {
      structured: {
        ...fitting({ items: shown, note }),
        ...(after !== undefined && { nextCursor: writeOffset(after) }),
      },
    };
  },
});

interface Found extends Partial<CapabilityDetail> {
  readonly items: readonly CapabilityItem[];
  readonly note?: string | undefined;
}

/** Truncates a result to `MAX_CHARACTERS`, with a note about the omitted items. */
function fitting({ items, options = [], facts = {}, note }: Found): object {
  const shown = fitJson(items, MAX_CHARACTERS);
  const fewFacts = Object.fromEntries(
    Object.entries(facts).map(([name, values]) => [name, values.slice(0, MAX_FACTS)] as const),
  );
  const room = MAX_CHARACTERS - JSON.stringify([shown, fewFacts]).length;
  const fewOptions = fitJson(options, room);
  const cut = [
    shown.length < items.length &&
      `${items.length - shown.length} more items are left out. Use a smaller "limit", or "name".`,
    fewOptions.length < options.length &&
      `${options.length - fewOptions.length} more options are left out. To find them: {"kind": "options", "of": "${shown[0]?.name ?? ''}", "query": WORDS}.`,
  ].filter((one) => one !== false);
  const notes = [note, ...cut].filter((one) => one !== undefined);
  return {
    items: shown,
    ...(fewOptions.length > 0 && { options: fewOptions }),
    ...(Object.keys(fewFacts).length > 0 && { facts: fewFacts }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

const missingKind = () =>
  invalidRequest([
    {
      field: '/kind',
      code: 'MISSING',
      message: '"name", "of" and "cursor" require a "kind".',
      allowed: CAPABILITY_KINDS,
      fix: 'Send "kind" too. For "of", send "kind": "options". For "name", send the kind of that item.',
    },
  ]);
