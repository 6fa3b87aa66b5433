import type { Warning } from '../../../domain/plan.ts';
import type { Catalogue } from '../../catalogue/catalogue.ts';
import type { StreamEncoders } from '../encoders/stream-encoders.ts';
import type { ArgvOption } from '../request/resolve-options.ts';
import { containerMismatches } from './container-mismatches.ts';
import { crfBitrateConflicts } from './crf-bitrate-conflict.ts';
import { oddDimensions } from './odd-dimensions.ts';
import { streamCopyConflicts } from './stream-copy-conflicts.ts';

/** What the warnings about an output go by, besides its options. */
export interface WarningContext {
  readonly encoders: StreamEncoders;
  readonly muxer: string;
  readonly catalogue: Catalogue;
  /** Two passes were asked for, of an encoder that knows but one. */
  readonly onePassOnly: boolean;
}

/** What is legal but probably not meant. */
export const collectWarnings = (options: readonly ArgvOption[], context: WarningContext): readonly Warning[] => [
  ...bothEnds(options),
  ...lateSpecifiers(options),
  ...(context.onePassOnly ? [NO_SECOND_PASS] : []),
  ...streamCopyConflicts(options, context.encoders),
  ...oddDimensions(options, context.encoders),
  ...crfBitrateConflicts(options, context.encoders),
  ...containerMismatches(options, context.muxer, context.catalogue),
];

function bothEnds(options: readonly ArgvOption[]): readonly Warning[] {
  const to = options.find(({ key }) => key === 'to');
  if (to === undefined || !options.some(({ key }) => key === 't')) return [];
  return [
    {
      field: to.field,
      code: 'NO_EFFECT',
      message: '"t" and "to" both say where the output ends; ffmpeg goes by "t".',
      fix: 'Leave one of them out.',
    },
  ];
}

/** Stream specifiers that go by a tag or an id. */
const LATER = /(?:^|:)(?:m:|i:|#)/;

const lateSpecifiers = (options: readonly ArgvOption[]): readonly Warning[] =>
  options
    .filter(({ name }) => LATER.test(name.specifier ?? '') && !/metadata$/.test(name.name))
    .map(({ key, name, field }) => ({
      field,
      code: 'NO_SUCH_STREAM',
      message: `"${key}" finds no stream: ffmpeg looks for tags and ids among the streams of the output, which get theirs later.`,
      fix: `Name streams by number, such as "${name.name}:a:1".`,
    }));

const NO_SECOND_PASS: Warning = {
  field: '/parameters/pass',
  code: 'NO_EFFECT',
  message: 'ffmpeg knows no second pass of this encoder, so one pass is run; it keeps to "b:v" in one.',
  fix: 'Leave "pass" out.',
};
