import { invalidRequest, Problem } from '@telecine/contract/domain/problem.ts';
import { suggest } from '@telecine/contract/domain/suggest.ts';
import { usableNames } from '@telecine/ffmpeg/capabilities/components.ts';
import { hwaccelMeanings, meaningsOf, serviceMeanings } from '@telecine/ffmpeg/capabilities/option-lookup.ts';
import { componentMeanings, type MeaningView, meaningViews } from '@telecine/ffmpeg/capabilities/options.ts';
import { type Catalogue, decoderNamed, encoderNamed } from '@telecine/ffmpeg/catalogue/catalogue.ts';
import type { Component, ComponentKind } from '@telecine/ffmpeg/catalogue/component.ts';
import { componentOf } from '@telecine/ffmpeg/catalogue/components.ts';
import { ALIAS_NAMES, aliasesOf } from '@telecine/ffmpeg/plan/request/option-name.ts';
import { type FindCatalogue, muxerNamed, notFound, type OptionQuery, type Page, pageOf } from './search-page.ts';

/**
 * In the description of an option, the value of `of` for an option that belongs to ffmpeg itself, not to a component.
 * Only such options can have aliases.
 */
const OWN = 'ffmpeg';

export const options = (find: FindCatalogue) => ({
  options: async (query: OptionQuery): Promise<Page<MeaningView>> => {
    const catalogue = await find();
    const owner = ownerOf(catalogue, query);
    return pageOf(
      owner === undefined ? allMeanings(catalogue) : componentMeanings(owner),
      query,
      ({ name, of, constants = [] }) =>
        [...of, ...(of.includes(OWN) ? aliasesOf(name) : []), ...constants.map((one) => one.name)].join(' '),
    );
  },
  option: async (name: string): Promise<readonly MeaningView[]> => {
    const catalogue = await find();
    const found = meaningsOf(name, catalogue);
    if (!('code' in found)) return found;
    const { code, message } = found;
    if (code === 'UNKNOWN_OPTION')
      throw notFound('option', name, [
        ...allMeanings(catalogue),
        ...[...ALIAS_NAMES].map((alias) => ({ name: alias })),
      ]);
    throw code === 'OPTION_NOT_ALLOWED' || code === 'NEEDS_DEVICE'
      ? notFound('option', name, [], message)
      : new Problem('NOT_FOUND', message, { errors: [suggest({ ...found, field: '/name' })] });
  },
});

/** Lists every option under its canonical name. A search also finds the aliases of an option. */
const allMeanings = (catalogue: Catalogue): readonly MeaningView[] => [
  ...serviceMeanings(),
  ...hwaccelMeanings(catalogue),
  ...meaningViews(catalogue),
];

/** The fields of a query that name a component, with its kind and the word for it in messages. */
const OWNERS = {
  encoder: ['encoder', 'encoder'],
  decoder: ['decoder', 'decoder'],
  format: ['muxer', 'output format'],
  inputFormat: ['demuxer', 'input format'],
  filter: ['filter', 'filter'],
  bsf: ['bsf', 'bitstream filter'],
} as const satisfies Readonly<Record<string, readonly [ComponentKind, string]>>;

const OWNER_NAMES = Object.keys(OWNERS) as readonly (keyof typeof OWNERS)[];

/** Finds the component whose options the query lists. undefined: the query names none. Throws INVALID_REQUEST. */
function ownerOf(catalogue: Catalogue, query: OptionQuery): Component | undefined {
  const [first, second] = OWNER_NAMES.filter((name) => query[name] !== undefined);
  if (first === undefined) return undefined;
  if (second !== undefined) {
    const message = `"${first}" and "${second}" cannot be combined.`;
    throw invalidRequest([{ field: `/${second}`, code: 'CONFLICT', message }]);
  }
  const [kind, word] = OWNERS[first];
  const given = query[first] ?? '';
  const names = usableNames(catalogue, kind);
  const name = nameInFfmpeg(catalogue, kind, given);
  const component = name !== undefined && names.includes(name) ? componentOf(catalogue, kind, name) : undefined;
  if (component !== undefined) return component;
  const message = `Unknown or unsupported ${word} "${given.slice(0, 64)}".`;
  throw invalidRequest([{ field: `/${first}`, code: 'UNKNOWN_NAME', message, nearest: { given, names, is: 'value' } }]);
}

/** The name of the component that ffmpeg uses for a name, such as `libx264` for `h264`. */
function nameInFfmpeg(catalogue: Catalogue, kind: ComponentKind, name: string): string | undefined {
  if (kind === 'encoder') return encoderNamed(catalogue, name)?.name;
  if (kind === 'decoder') return decoderNamed(catalogue, name)?.name;
  return kind === 'muxer' ? muxerNamed(catalogue, name) : name;
}
