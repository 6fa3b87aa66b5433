/** The content of text options of bitstream filters. Others are rejected. None of these names a file. */
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
