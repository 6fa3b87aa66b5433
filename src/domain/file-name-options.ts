/** An option that names an additional output file. */
export interface FileNameOption {
  /** The folder that ffmpeg resolves the name against: its working folder, or the folder of the output. */
  readonly relativeTo: 'working folder' | 'output folder';
  /** Whether the name may contain folders. It may if the playlist or manifest refers to the file with these folders. */
  readonly allowsFolders: boolean;
  /** Whether the file lists the other files of the output. If so, it is published after them. */
  readonly isManifest?: true;
}

/** All options that name an additional output file. No other allowed option can name a file that ffmpeg writes. */
export const FILE_NAME_OPTIONS: ReadonlyMap<string, FileNameOption> = new Map<string, FileNameOption>([
  ['hls_segment_filename', { relativeTo: 'working folder', allowsFolders: true }],
  ['segment_list', { relativeTo: 'working folder', allowsFolders: false, isManifest: true }],
  ['hls_fmp4_init_filename', { relativeTo: 'output folder', allowsFolders: true }],
  ['master_pl_name', { relativeTo: 'output folder', allowsFolders: false, isManifest: true }],
  ['init_seg_name', { relativeTo: 'output folder', allowsFolders: true }],
  ['media_seg_name', { relativeTo: 'output folder', allowsFolders: true }],
  ['single_file_name', { relativeTo: 'output folder', allowsFolders: false }],
  ['hls_master_name', { relativeTo: 'output folder', allowsFolders: false }],
]);
