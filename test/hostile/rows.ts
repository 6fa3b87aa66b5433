import { ARGV_SHAPE } from './argv-shape.ts';
import { CLOCK } from './clock.ts';
import { CONTENT } from './content.ts';
import { ENCODERS } from './encoders.ts';
import { EXHAUSTION } from './exhaustion.ts';
import { FILE_OPTIONS } from './file-options.ts';
import { FILTERS } from './filters.ts';
import { GLOBAL_OPTIONS } from './global-options.ts';
import { MUXERS } from './muxers.ts';
import { PROTOCOLS } from './protocols.ts';
import type { HostileRow } from './row.ts';

/** All rows, by the section that they belong to. */
export const SECTIONS: Readonly<Record<string, readonly HostileRow[]>> = {
  'the shape of the command line': ARGV_SHAPE,
  'options of the whole command': GLOBAL_OPTIONS,
  'options of one file': FILE_OPTIONS,
  filters: FILTERS,
  'encoders and their parameters': ENCODERS,
  'containers and names': MUXERS,
  protocols: PROTOCOLS,
  'what files hold': CONTENT,
  'the clock': CLOCK,
  exhaustion: EXHAUSTION,
};

/** Each with a name of its own. */
export const ROWS: readonly (readonly [string, HostileRow])[] = Object.entries(SECTIONS).flatMap(([section, rows]) =>
  rows.map((row) => [`${section}: ${row.title}`, row] as const),
);
