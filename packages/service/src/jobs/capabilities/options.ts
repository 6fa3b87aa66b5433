import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import { codecViews, filterViews, formatViews } from '@telecine/ffmpeg/capabilities/components.ts';
import {
  canonicalName,
  hwaccelMeanings,
  meaningsOf,
  serviceMeanings,
} from '@telecine/ffmpeg/capabilities/option-lookup.ts';
import { componentMeanings, type MeaningView, meaningViews } from '@telecine/ffmpeg/capabilities/options.ts';
import { type Catalogue, decoderNamed, encoderNamed } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import type { Component, ComponentKind } from '@telecine/ffmpeg/catalogue/component.ts';
import type { OptionClass } from '@telecine/ffmpeg/catalogue/help-full.ts';
import { findFormat } from '@telecine/ffmpeg/plan/request/format-names.ts';
import { ALIAS_NAMES, aliasesOf } from '@telecine/ffmpeg/plan/request/option-name.ts';
import {
  type FindFfmpeg,
  type InstalledFfmpeg,
  notFound,
  type OptionQuery,
  type Page,
  pageOf,
  type Search,
} from './search-page.ts';

/**
 * In the description of an option, the value of `of` for an option that belongs to ffmpeg itself, not to a component.
 * Only such options can have aliases.
 */
const OWN = 'ffmpeg';

export const options = (findFfmpeg: FindFfmpeg) => ({
  options: async (query: OptionQuery): Promise<Page<MeaningView>> => {
    const ffmpeg = await findFfmpeg();
    const owner = await ownerOf(ffmpeg, query);
    return pageOf(
      owner === undefined ? allMeanings(ffmpeg.catalogue(), await ffmpeg.classes()) : componentMeanings(owner),
      query,
      {
        more: ({ name, of, constants = [] }) =>
          [...of, ...(of.includes(OWN) ? aliasesOf(name) : []), ...constants.map((one) => one.name)].join(' '),
      },
    );
  },
  option: async (name: string): Promise<readonly MeaningView[]> => {
    const ffmpeg = await findFfmpeg();
    const canonical = canonicalName(name);
    if (canonical !== undefined) await ffmpeg.option(canonical);
    const found = meaningsOf(name, ffmpeg.catalogue(), await ffmpeg.classes());
    if (!('code' in found)) return found;
    const { code, message } = found;
    if (code === 'UNKNOWN_OPTION')
      throw notFound('option', name, [...allNames(ffmpeg.catalogue(), await ffmpeg.classes()), ...ALIAS_NAMES]);
    throw code === 'OPTION_NOT_ALLOWED' || code === 'NEEDS_DEVICE'
      ? notFound('option', name, [], message)
      : new Problem('NOT_FOUND', message, { errors: [suggest({ ...found, field: '/name' })] });
  },
});

/** Lists every option under its canonical name. A search also finds the aliases of an option. */
const allMeanings = (catalogue: Catalogue, classes: readonly OptionClass[]): readonly MeaningView[] => [
  ...serviceMeanings(),
  ...hwaccelMeanings(catalogue),
  ...meaningViews(catalogue, classes),
];

const allNames = (catalogue: Catalogue, classes: readonly OptionClass[]): ReadonlySet<string> =>
  new Set(allMeanings(catalogue, classes).map(({ name }) => name));

type OwnerName = keyof Omit<OptionQuery, keyof Search>;

/** A kind of component whose options can be listed. */
interface Owner {
  readonly kind: ComponentKind;
  /** The name of this kind in messages. */
  readonly word: string;
  readonly find: (catalogue: Catalogue, name: string) => string | undefined;
  readonly names: (catalogue: Catalogue) => readonly string[];
}

const asRequested = (_catalogue: Catalogue, name: string): string => name;

const OWNERS: Readonly<Record<OwnerName, Owner>> = {
  encoder: {
    kind: 'encoder',
    word: 'encoder',
    find: (catalogue, name) => encoderNamed(catalogue, name)?.name,
    names: (catalogue) => namesOf(codecViews(catalogue).filter(({ encodes }) => encodes)),
  },
  decoder: {
    kind: 'decoder',
    word: 'decoder',
    find: (catalogue, name) => decoderNamed(catalogue, name)?.name,
    names: (catalogue) => namesOf(codecViews(catalogue).filter(({ decodes }) => decodes)),
  },
  format: {
    kind: 'muxer',
    word: 'output format',
    find: ({ lists }, name) => {
      const found = findFormat(name, lists.muxers);
      return 'format' in found ? found.format.muxer : undefined;
    },
    names: (catalogue) => namesOf(formatViews(catalogue).filter(({ writes }) => writes)),
  },
  inputFormat: {
    kind: 'demuxer',
    word: 'input format',
    find: asRequested,
    names: (catalogue) => namesOf(formatViews(catalogue).filter(({ reads }) => reads)),
  },
  filter: {
    kind: 'filter',
    word: 'filter',
    find: asRequested,
    names: (catalogue) => namesOf(filterViews(catalogue)),
  },
  bsf: {
    kind: 'bsf',
    word: 'bitstream filter',
    find: asRequested,
    names: ({ lists }) => [...lists.bsfs],
  },
};

const OWNER_NAMES = Object.keys(OWNERS) as readonly OwnerName[];

const namesOf = (views: readonly { readonly name: string }[]): readonly string[] => views.map(({ name }) => name);

/** Finds the component whose options the query lists. undefined: the query names none. Throws INVALID_REQUEST. */
async function ownerOf(ffmpeg: InstalledFfmpeg, query: OptionQuery): Promise<Component | undefined> {
  const [first, second] = OWNER_NAMES.filter((name) => query[name] !== undefined);
  if (first === undefined) return undefined;
  if (second !== undefined)
    throw invalidRequest([
      {
        field: `/${second}`,
        code: 'CONFLICT',
        message: `"${first}" and "${second}" cannot be combined.`,
      },
    ]);
  const { kind, word, find, names } = OWNERS[first];
  const requested = query[first] ?? '';
  const name = find(ffmpeg.catalogue(), requested);
  const all = names(ffmpeg.catalogue());
  const component = name !== undefined && all.includes(name) ? await ffmpeg.component(kind, name) : undefined;
  if (component !== undefined) return component;
  throw invalidRequest([
    {
      field: `/${first}`,
      code: 'UNKNOWN_NAME',
      message: `Unknown or unsupported ${word} "${requested.slice(0, 64)}".`,
      nearest: { given: requested, names: all, is: 'value' },
    },
  ]);
}
