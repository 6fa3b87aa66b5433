import { closestMatch } from '../../domain/closest-match.ts';
import { type HintAction, hint } from '../../domain/hint.ts';
import { invalidRequest } from '../../domain/problem.ts';
import { rejectionReasonOf } from '../../ffmpeg/allowlist/rejection-reasons.ts';
import { codecViews } from '../../ffmpeg/capabilities/codecs.ts';
import { filterViews } from '../../ffmpeg/capabilities/filters.ts';
import { formatViews } from '../../ffmpeg/capabilities/formats.ts';
import { componentMeanings, meaningViews } from '../../ffmpeg/capabilities/options.ts';
import { type Catalogue, decoderNamed, encoderNamed } from '../../ffmpeg/catalogue/catalogue.ts';
import type { Component, ComponentKind } from '../../ffmpeg/catalogue/component.ts';
import { findFormat } from '../../ffmpeg/plan/request/format-names.ts';
import type { AskTool, KnownTool } from './known-tool.ts';
import type { CapabilityOperations, OptionQuery } from './operations.ts';
import { noSuch, pageOf } from './page.ts';

export const options = (ask: AskTool): Pick<CapabilityOperations, 'options' | 'option'> => ({
  options: async (query) => {
    const tool = await ask();
    const owner = await ownerOf(tool, query);
    return pageOf(
      owner === undefined ? meaningViews(tool.catalogue(), await tool.classes()) : componentMeanings(owner),
      query,
      { more: ({ of, constants = [] }) => [...of, ...constants.map(({ name }) => name)].join(' ') },
    );
  },
  option: async (name) => {
    const tool = await ask();
    await tool.option(name);
    const all = meaningViews(tool.catalogue(), await tool.classes());
    const meanings = all.filter((one) => one.name === name);
    if (meanings.length > 0) return meanings;
    const refused = rejectionReasonOf(name);
    throw noSuch(
      'option',
      name,
      new Set(all.map((one) => one.name)),
      refused && [`"${name}" ${refused.why}, so it cannot be sent.`, refused.fix].filter(Boolean).join(' '),
    );
  },
});

/** Those whose options can be listed: the kind of component, its name as ffmpeg has it, and all names. */
const OWNERS: Readonly<
  Record<
    'encoder' | 'decoder' | 'format' | 'inputFormat' | 'filter' | 'bsf',
    {
      readonly kind: ComponentKind;
      readonly find: (catalogue: Catalogue, name: string) => string | undefined;
      readonly names: (catalogue: Catalogue) => readonly string[];
    }
  >
> = {
  encoder: {
    kind: 'encoder',
    find: (catalogue, name) => encoderNamed(catalogue, name)?.name,
    names: (catalogue) => namesOf(codecViews(catalogue).filter(({ encodes }) => encodes)),
  },
  decoder: {
    kind: 'decoder',
    find: (catalogue, name) => decoderNamed(catalogue, name)?.name,
    names: (catalogue) => namesOf(codecViews(catalogue).filter(({ decodes }) => decodes)),
  },
  format: {
    kind: 'muxer',
    find: ({ lists }, name) => {
      const found = findFormat(name, lists.muxers);
      return 'format' in found ? found.format.muxer : undefined;
    },
    names: (catalogue) => namesOf(formatViews(catalogue).filter(({ writes }) => writes)),
  },
  inputFormat: {
    kind: 'demuxer',
    find: (_catalogue, name) => name,
    names: (catalogue) => namesOf(formatViews(catalogue).filter(({ reads }) => reads)),
  },
  filter: {
    kind: 'filter',
    find: (_catalogue, name) => name,
    names: (catalogue) => namesOf(filterViews(catalogue)),
  },
  bsf: { kind: 'bsf', find: (_catalogue, name) => name, names: ({ lists }) => [...lists.bsfs] },
};

const OWNER_NAMES = ['encoder', 'decoder', 'format', 'inputFormat', 'filter', 'bsf'] as const;

const namesOf = (views: readonly { readonly name: string }[]): readonly string[] => views.map(({ name }) => name);

/** The component whose options are asked for; undefined: those of all. Throws INVALID_REQUEST. */
async function ownerOf(tool: KnownTool, query: OptionQuery): Promise<Component | undefined> {
  const [first, second] = OWNER_NAMES.filter((name) => query[name] !== undefined);
  if (first === undefined) return undefined;
  if (second !== undefined)
    throw invalidRequest([
      {
        field: `/${second}`,
        code: 'CONFLICT',
        message: `"${first}" and "${second}" cannot be asked for together.`,
        fix: 'Send one of them.',
      },
    ]);
  const { kind, find, names } = OWNERS[first];
  const asked = query[first] ?? '';
  const name = find(tool.catalogue(), asked);
  const all = names(tool.catalogue());
  const component = name !== undefined && all.includes(name) ? await tool.component(kind, name) : undefined;
  if (component !== undefined) return component;
  const near = closestMatch(asked, all);
  throw invalidRequest([
    {
      field: `/${first}`,
      code: 'UNKNOWN_NAME',
      message: `"${asked.slice(0, 64)}" is no ${WORDS[first]} that can be used here.`,
      ...(first === 'bsf' && { allowed: all }),
      fix: near === undefined ? FIXES[first] : `Send "${near}".`,
    },
  ]);
}

const WORDS = {
  encoder: 'encoder',
  decoder: 'decoder',
  format: 'output format',
  inputFormat: 'input format',
  filter: 'filter',
  bsf: 'bitstream filter',
} as const;

type SearchAction = Extract<HintAction, { do: 'search-capabilities' }>;

const searchFor = (list: Omit<SearchAction, 'do'>) => hint`Search for one: ${{ do: 'search-capabilities', ...list }}.`;

const FIXES = {
  encoder: searchFor({ kind: 'codecs', use: 'encode' }),
  decoder: searchFor({ kind: 'codecs', use: 'decode' }),
  format: searchFor({ kind: 'formats', use: 'write' }),
  inputFormat: searchFor({ kind: 'formats', use: 'read' }),
  filter: searchFor({ kind: 'filters' }),
  bsf: 'Send one of those that are allowed.',
} as const;
