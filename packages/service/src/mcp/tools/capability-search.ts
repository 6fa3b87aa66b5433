import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { readOffset, writeOffset } from '@telecine/contract/wire/paging.ts';
import {
  CAPABILITY_KINDS,
  type CapabilityDetail,
  type CapabilityItem,
  capabilityDetail,
  type Kind,
  searchCapabilities,
} from '../capabilities/capability-item.ts';
import type { McpDeps } from '../deps.ts';
import { fitJson } from '../results/output-links.ts';

/** The maximum length of a result, in characters. */
const MAX_CHARACTERS = 6000;
const MAX_FACTS = 40;
/** How many names of each kind are shown for a search of recipes. */
const MAX_NAMES = 5;

interface Arguments {
  readonly kind: Kind;
  readonly query?: string;
  readonly name?: string;
  readonly use?: 'input' | 'output';
  readonly of?: string;
  readonly limit: number;
  readonly cursor?: string;
}

/** Returns a page of one kind, or one item with its details. Throws NOT_FOUND. */
export async function findCapabilities(
  { kind, name, cursor, ...query }: Arguments,
  { capabilities }: Pick<McpDeps, 'capabilities'>,
): Promise<object> {
  if (name !== undefined) return fitting(await capabilityDetail(capabilities, kind, name));
  const from = readOffset(cursor);
  const { items, next, note } = await searchCapabilities(capabilities, kind, { ...query, from });
  const shown = fitJson(items, MAX_CHARACTERS);
  // The next page starts with the first item that did not fit.
  const after = shown.length < items.length ? from + shown.length : next;
  return { ...fitting({ items: shown, note }), ...(after !== undefined && { nextCursor: writeOffset(after) }) };
}

/** Finds names of all kinds that have these words, by kind. Kinds without a match are absent. */
export async function namesOfKinds(
  query: string,
  { capabilities }: Pick<McpDeps, 'capabilities'>,
): Promise<Readonly<Partial<Record<Kind, readonly string[]>>>> {
  const pages = await Promise.all(
    CAPABILITY_KINDS.map(async (kind) => {
      const { items, note } = await searchCapabilities(capabilities, kind, { query, limit: MAX_NAMES, from: 0 });
      // With a note, nothing matches, and the items are similar names.
      return note === undefined && items.length > 0 ? [[kind, items.map(({ name }) => name)] as const] : [];
    }),
  );
  return Object.fromEntries(pages.flat());
}

/** Throws INVALID_REQUEST for arguments that have no effect. */
export function rejectUnused({
  kind,
  name,
  ...args
}: Omit<Arguments, 'kind'> & { readonly kind: Kind | 'recipes' }): void {
  const unused = {
    of: args.of !== undefined && (kind !== 'options' || name !== undefined),
    query: name !== undefined && args.query !== undefined,
    use:
      args.use !== undefined &&
      (name !== undefined || (kind !== 'formats' && kind !== 'codecs' && args.of === undefined)),
    cursor: args.cursor !== undefined && (name !== undefined || kind === 'recipes'),
  };
  const errors = Object.entries(unused).flatMap(([field, isUnused]) =>
    isUnused
      ? [
          {
            field: `/${field}`,
            code: 'NO_EFFECT',
            message: `"${field}" has no effect with ${name === undefined ? `"kind": "${kind}"` : '"name"'}.`,
          },
        ]
      : [],
  );
  if (errors.length > 0) throw invalidRequest(errors);
}

interface Found extends Partial<CapabilityDetail> {
  readonly items: readonly CapabilityItem[];
  readonly note?: string | undefined;
}

const more = (count: number, what: string): string => `${count} more ${what}${count === 1 ? ' is' : 's are'}`;

/** Shortens a result to `MAX_CHARACTERS`, and adds a note about what was left out. */
function fitting({ items, options = [], facts = {}, note }: Found): object {
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
