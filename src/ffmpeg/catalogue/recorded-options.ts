import type { Build } from './build.ts';
import type { CliFacts } from './catalogue.ts';

/**
 * ffmpeg's own options that ffmpeg 5.1, 7.1 and 9.0 treat alike. Each row lists the options with the same kind of
 * argument and the same side. The recordings in test/fixtures/ffmpeg-help prove each row.
 */
const ROWS: readonly (readonly [argument: boolean, place: CliFacts['place'], names: string])[] = [
  [true, 'both', 'c tag t to ss r s pix_fmt ar ac sample_fmt ch_layout'],
  [
    true,
    'output',
    'b q profile frames filter disposition fs timestamp muxdelay muxpreload copypriorss max_muxing_queue_size ' +
      'muxing_queue_data_threshold map map_chapters map_metadata metadata program streamid target fpsmax fps_mode aspect ' +
      'timecode force_key_frames rc_override intra_matrix inter_matrix chroma_intra_matrix bits_per_raw_sample time_base ' +
      'enc_time_base apad',
  ],
  [true, 'global', 'filter_complex copytb dts_delta_threshold dts_error_threshold max_error_rate abort_on'],
  [
    true,
    'input',
    'reinit_filter discard sseof seek_timestamp itsoffset itsscale isync stream_loop guess_layout_max canvas_size',
  ],
  [false, 'input', 'accurate_seek noaccurate_seek find_stream_info nofind_stream_info noautorotate fix_sub_duration'],
  [false, 'output', 'shortest copyinkf force_fps noautoscale'],
  [false, 'both', 'bitexact vn an sn dn'],
  [
    false,
    'global',
    'copyts start_at_zero xerror ignore_unknown copy_unknown recast_media auto_conversion_filters ' +
      'noauto_conversion_filters',
  ],
];

/**
 * Returns the facts that need not be queried from a release between 5.1 and 9.0. Querying one option takes up to four
 * processes, and a first request would have to wait for them. Returns nothing for newer releases and snapshots, which
 * are queried.
 */
export function recordedFacts(release: Build['release']): ReadonlyMap<string, CliFacts> {
  const [major, minor] = release ?? [0, 0];
  const isRecorded = (major === 5 && minor >= 1) || (major > 5 && major < 9) || (major === 9 && minor === 0);
  if (!isRecorded) return new Map();
  return new Map(
    ROWS.flatMap(([argument, place, names]) =>
      names.split(' ').map((name): [string, CliFacts] => [name, { argument, place }]),
    ),
  );
}
