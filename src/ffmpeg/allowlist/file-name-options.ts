/** An option that names a file which ffmpeg writes beside the output. */
export interface FileNameOption {
  /** Whence ffmpeg counts the name: its working folder, or the folder of the output. */
  readonly from: 'here' | 'the output';
  /** May lie in a folder of its own: what names it tells that folder. */
  readonly folders: boolean;
  /** It names the other files, so it comes after them. */
  readonly names?: 'the others';
}

/** All such options; other files than these and the output no option of a caller's can name. */
export const FILE_NAME_OPTIONS: ReadonlyMap<string, FileNameOption> = new Map<string, FileNameOption>([
  ['hls_segment_filename', { from: 'here', folders: true }],
  ['segment_list', { from: 'here', folders: false, names: 'the others' }],
  ['hls_fmp4_init_filename', { from: 'the output', folders: true }],
  ['master_pl_name', { from: 'the output', folders: false, names: 'the others' }],
  ['init_seg_name', { from: 'the output', folders: true }],
  ['media_seg_name', { from: 'the output', folders: true }],
  ['single_file_name', { from: 'the output', folders: false }],
  ['hls_master_name', { from: 'the output', folders: false }],
]);
