import { MUXERS } from '../../packages/ffmpeg/src/allowlist/containers.ts';
import { DEVICE_FILTERS } from '../../packages/ffmpeg/src/allowlist/device-components.ts';
import { FILTERS } from '../../packages/ffmpeg/src/allowlist/filters.ts';
import { INPUT_FORMAT_NAMES } from '../../packages/ffmpeg/src/allowlist/input-formats.ts';
import type { Catalogue } from '../../packages/ffmpeg/src/catalogue/catalogue.ts';
import type { ComponentKind, ComponentName } from '../../packages/ffmpeg/src/catalogue/component.ts';

/** The components that requests may use, and `movie`, which the tests of rejected filters look at. undefined: all of a kind. */
const REQUESTABLE: Readonly<Record<ComponentKind, ReadonlySet<string> | undefined>> = {
  encoder: undefined,
  decoder: undefined,
  bsf: undefined,
  muxer: MUXERS,
  demuxer: INPUT_FORMAT_NAMES,
  filter: new Set([...FILTERS, ...DEVICE_FILTERS, 'movie']),
};

/** The components of a build that requests may use. */
export const requestableComponents = ({ lists }: Pick<Catalogue, 'lists'>): readonly ComponentName[] =>
  (Object.keys(REQUESTABLE) as ComponentKind[]).flatMap((kind) =>
    [...lists[`${kind}s`].keys()]
      .filter((name) => REQUESTABLE[kind]?.has(name) ?? true)
      .map((name) => ({ kind, name })),
  );
