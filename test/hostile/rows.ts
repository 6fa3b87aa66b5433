import { ARGV_SHAPE } from './argv-shape.ts';
import { CLOCK } from './clock.ts';
import { ENCODERS } from './encoders.ts';
import { EXHAUSTION } from './exhaustion.ts';
import { CONTENT } from './file-content.ts';
import { FILE_OPTIONS } from './file-options.ts';
import { FILTER_ROWS } from './filters.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { MUXER_ROWS } from './muxers.ts';
import { PROTOCOLS } from './protocols.ts';
import type { HostileRow } from './row.ts';

/** All rows by section. */
export const SECTIONS: Readonly<Record<string, readonly HostileRow[]>> = {
  'the shape of the command line': ARGV_SHAPE,
  'global options': GLOBAL_OPTIONS,
  'options of one file': FILE_OPTIONS,
  filters: FILTER_ROWS,
  'encoders and their parameters': ENCODERS,
  'containers and file names': MUXER_ROWS,
  protocols: PROTOCOLS,
  'content of files': CONTENT,
  'the clock': CLOCK,
  exhaustion: EXHAUSTION,
};

/** All rows, each with a unique name. */
export const ROWS: readonly (readonly [string, HostileRow])[] = Object.entries(SECTIONS).flatMap(([section, rows]) =>
  rows.map((row) => [`${section}: ${row.title}`, row] as const),
);
