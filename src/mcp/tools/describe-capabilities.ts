import { z } from 'zod';
import { invalidRequest } from '../../domain/problem.ts';
import { readOffset, writeOffset } from '../../wire/cursor.ts';
import { type CapabilityDetail, capabilityDetail } from '../capabilities/capability-detail.ts';
import { CAPABILITY_KINDS, type CapabilityItem, capabilityItem } from '../capabilities/capability-item.ts';
import { searchCapabilities } from '../capabilities/capability-search.ts';
import { fitJson } from '../results/fit-json.ts';
import { defineTool } from '../tool.ts';

/** What a model can read at once. */
const MOST_CHARACTERS = 6000;
const MOST_FACTS = 40;

const output = z.object({
  items: z.array(capabilityItem),
  options: z.array(capabilityItem).optional().meta({ description: 'With "name": its own options.' }),
  facts: z
    .record(z.string(), z.array(z.string()))
    .optional()
    .meta({ description: 'With "name": what else is known of it.' }),
  nextCursor: z.string().optional().meta({ description: 'Send as "cursor" for the next page; absent on the last.' }),
  note: z.string().optional(),
});

export const describeCapabilities = defineTool({
  name: 'describe_capabilities',
  title: 'Find formats, codecs, filters and options',
  description: `What the installed ffmpeg can do here and this service lets through, by ffmpeg's own names.
- Search by words: {"query": "loudness"} in all kinds, or {"kind": "codecs", "query": "h264", "use": "output"}.
- One thing: {"kind": "codecs", "name": "libx264"}, {"kind": "filters", "name": "scale"}, {"kind": "options", "name": "crf"} gives ranges, defaults and the words that a value may be.
- The options of one encoder, format or filter: {"kind": "options", "of": "libx264", "query": "adaptive"}.
What is not found here cannot be sent to convert_media.`,
  scopes: ['jobs:read'],
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input: z.strictObject({
    kind: z
      .enum([...CAPABILITY_KINDS, 'all'])
      .default('all')
      .meta({ description: 'Where to look.' }),
    query: z.string().max(200).exactOptional().meta({
      description: 'Words that the name or the description holds. Where nothing does: what is spelled alike.',
    }),
    name: z
      .string()
      .min(1)
      .max(100)
      .exactOptional()
      .meta({ description: 'The exact name of one thing, with its "kind".' }),
    use: z
      .enum(['input', 'output'])
      .exactOptional()
      .meta({ description: 'Only formats and codecs that can be read (input) or made (output).' }),
    of: z
      .string()
      .min(1)
      .max(100)
      .exactOptional()
      .meta({ description: 'With kind "options": of this encoder, format or filter alone.' }),
    limit: z.int().min(1).max(30).default(10).meta({ description: 'Items on one page, of each kind.' }),
    cursor: z
      .string()
      .max(200)
      .exactOptional()
      .meta({ description: '"nextCursor" of the page before, with the same "kind".' }),
  }),
  output,
  run: async ({ kind, name, cursor, ...query }, { deps }) => {
    const { capabilities } = deps;
    if (kind === 'all') {
      if (name !== undefined || cursor !== undefined || query.of !== undefined) throw kindNeeded();
      const pages = await Promise.all(
        CAPABILITY_KINDS.map((each) => searchCapabilities(capabilities, each, { ...query, from: 0 })),
      );
      // A kind in which nothing matches offers what is spelled alike; that is noise beside what does match.
      const found = pages.filter(({ note }) => note === undefined);
      const shown = found.length > 0 ? found : pages;
      const more = shown.some(({ next }) => next !== undefined);
      return {
        structured: fitting({
          items: shown.flatMap(({ items }) => items),
          note: more
            ? 'There is more: narrow it with "kind" or more words.'
            : shown.find(({ note }) => note !== undefined)?.note,
        }),
      };
    }
    if (name !== undefined) return { structured: fitting(await capabilityDetail(capabilities, kind, name)) };
    const from = readOffset(cursor);
    const { items, next, note } = await searchCapabilities(capabilities, kind, { ...query, from });
    const shown = fitJson(items, MOST_CHARACTERS);
    // The next page begins with the first that did not fit.
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

/** As much of it as a model can read, and a word about the rest. */
function fitting({ items, options = [], facts = {}, note }: Found): object {
  const shown = fitJson(items, MOST_CHARACTERS);
  const fewFacts = Object.fromEntries(
    Object.entries(facts).map(([name, values]) => [name, values.slice(0, MOST_FACTS)] as const),
  );
  const room = MOST_CHARACTERS - JSON.stringify([shown, fewFacts]).length;
  const fewOptions = fitJson(options, room);
  const cut = [
    shown.length < items.length &&
      `${items.length - shown.length} more items are left out; ask for fewer, or by "name".`,
    fewOptions.length < options.length &&
      `${options.length - fewOptions.length} more options are left out: {"kind": "options", "of": "${shown[0]?.name ?? ''}", "query": WORDS} finds them.`,
  ].filter((one) => one !== false);
  const notes = [note, ...cut].filter((one) => one !== undefined);
  return {
    items: shown,
    ...(fewOptions.length > 0 && { options: fewOptions }),
    ...(Object.keys(fewFacts).length > 0 && { facts: fewFacts }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

const kindNeeded = () =>
  invalidRequest([
    {
      field: '/kind',
      code: 'MISSING',
      message: '"name", "of" and "cursor" need a "kind".',
      allowed: CAPABILITY_KINDS,
      fix: 'Send "kind" as well: "options" with "of"; the kind of the thing with "name".',
    },
  ]);
