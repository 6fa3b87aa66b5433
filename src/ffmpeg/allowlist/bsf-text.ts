/**
 * The kind of text that each allowed text option of a bitstream filter accepts. Other text options are rejected. No
 * option in this table names a file.
 */
export const BSF_TEXT: ReadonlyMap<string, 'expression' | 'words' | 'text'> = new Map([
  ['setts.ts', 'expression'],
  ['setts.pts', 'expression'],
  ['setts.dts', 'expression'],
  ['setts.duration', 'expression'],
  ['noise.amount', 'expression'],
  ['noise.drop', 'expression'],
  ['filter_units.pass_types', 'words'],
  ['filter_units.remove_types', 'words'],
  ['h264_metadata.sei_user_data', 'text'],
]);
