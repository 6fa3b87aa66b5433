import { invalidRequest } from '@telecine/contract/domain/problem.ts';
import { readOffset, writeOffset } from '@telecine/contract/wire/paging.ts';
import {
  CAPABILITY_KINDS,
  type CapabilityDetail,
  type CapabilityQuery,
  capabilityDetail,
  type Kind,
  searchCapabilities,
} from '../capabilities/capability-item.ts';
import type { McpDeps } from '../deps.ts';
import { fitJson } from '../results/output-links.ts';

/** The maximum length of a result, in characters. */
const MAX_CHARACTERS = 6000;
/** How many names of each kind are shown for a search of recipes. */
const MAX_NAMES = 5;

interface Arguments extends CapabilityQuery {
  readonly kind: Kind;
  readonly name?: string;
}

/** Returns a page of one kind, or one item with its details. Throws NOT_FOUND. */
export async function findCapabilities(
  { kind, name, ...query }: Arguments,
  { capabilities }: Pick<McpDeps, 'capabilities'>,
): Promise<object> {
  if (name !== undefined) return fitting(await capabilityDetail(capabilities, kind, name));
  const { items, ...page } = await searchCapabilities(capabilities, kind, query);
  const shown = fitJson(items, MAX_CHARACTERS);
  if (shown.length === items.length) return { items, ...page };
  // The next page starts with the first item that did not fit.
  return { items: shown, ...page, nextCursor: writeOffset(readOffset(query.cursor) + shown.length) };
}

/** Finds names of all kinds that have these words, by kind. Kinds without a match are absent. */
export async function namesOfKinds(
  query: string,
  { capabilities }: Pick<McpDeps, 'capabilities'>,
): Promise<Readonly<Partial<Record<Kind, readonly string[]>>>> {
  const pages = await Promise.all(
    CAPABILITY_KINDS.map(async (kind) => {
      const { items, note } = await searchCapabilities(capabilities, kind, { query, limit: MAX_NAMES });
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
  const hasUses = kind === 'formats' || kind === 'codecs' || args.of !== undefined;
  const usedWithoutName = { query: true, of: kind === 'options', use: hasUses, cursor: kind !== 'recipes' };
  const because = name === undefined ? `"kind": "${kind}"` : '"name"';
  const errors = (['of', 'query', 'use', 'cursor'] as const)
    .filter((field) => args[field] !== undefined && (name !== undefined || !usedWithoutName[field]))
    .map((field) => ({
      field: `/${field}`,
      code: 'NO_EFFECT',
      message: `"${field}" has no effect with ${because}.`,
    }));
  if (errors.length > 0) throw invalidRequest(errors);
}

const more = (count: number, what: string): string => `${count} more ${what}${count === 1 ? ' is' : 's are'} left out.`;

/** Shortens details to `MAX_CHARACTERS`, and adds a note about what was left out. */
function fitting({ items, options = [] }: CapabilityDetail): object {
  const shown = fitJson(items, MAX_CHARACTERS);
  const fewOptions = fitJson(options, MAX_CHARACTERS - JSON.stringify(shown).length);
  const find = `To find them: {"kind": "options", "of": "${items[0]?.name ?? ''}", "query": WORDS}.`;
  const notes = [
    ...(shown.length < items.length ? [more(items.length - shown.length, 'item')] : []),
    ...(fewOptions.length < options.length ? [`${more(options.length - fewOptions.length, 'option')} ${find}`] : []),
  ];
  return {
    items: shown,
    ...(fewOptions.length > 0 && { options: fewOptions }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}
