import { INPUT_FORMAT_NAMES } from '../allowlist/input-formats.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Component } from '../catalogue/component.ts';
import { findFormat } from '../plan/request/format-names.ts';
import { allowedOptions, type OptionView, optionView } from './option-view.ts';

export interface FormatView {
  readonly name: string;
  readonly description: string;
  /** Whether inputs may have this format. */
  readonly reads: boolean;
  /** Whether outputs may have this format. */
  readonly writes: boolean;
}

export interface FullFormatView extends FormatView {
  readonly extensions?: readonly string[];
  readonly mimeType?: string;
  /** The codecs that ffmpeg uses if the request does not name any. */
  readonly defaultCodecs?: NonNullable<Component['defaultCodecs']>;
  /** The options of the muxer, for the `parameters` of the request. */
  readonly outputOptions?: readonly OptionView[];
  /** The options of the demuxer, for the `parameters` of an input. */
  readonly inputOptions?: readonly OptionView[];
}

/** All formats of the build that are allowed, sorted by name. */
export function formatViews({ lists }: Catalogue): readonly FormatView[] {
  const names = [...new Set([...lists.muxers.keys(), ...lists.demuxers.keys()])].sort();
  return names.flatMap((name) => {
    const reads = INPUT_FORMAT_NAMES.has(name) && lists.demuxers.has(name);
    const writes = lists.muxers.has(name) && 'format' in findFormat(name, lists.muxers);
    const { description = '' } = lists.muxers.get(name) ?? lists.demuxers.get(name) ?? {};
    return reads || writes ? [{ name, description, reads, writes }] : [];
  });
}

export function fullFormatView(
  format: FormatView,
  muxer: Component | undefined,
  demuxer: Component | undefined,
): FullFormatView {
  const { extensions = demuxer?.extensions, mimeType, defaultCodecs } = muxer ?? {};
  return {
    ...format,
    ...(extensions && { extensions }),
    ...(mimeType !== undefined && { mimeType }),
    ...(defaultCodecs && { defaultCodecs }),
    ...(muxer && { outputOptions: allowedOptions(muxer).map(optionView) }),
    ...(demuxer && { inputOptions: allowedOptions(demuxer).map(optionView) }),
  };
}
