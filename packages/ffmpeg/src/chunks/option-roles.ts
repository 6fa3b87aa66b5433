import type { WholeReason } from '@telecine/contract/domain/chunks.ts';
import { PARAMS_OPTIONS } from '../allowlist/encoder-params/tables.ts';
import { isGraphError } from '../filtergraph/graph.ts';
import { type ArgvOption, SERVICE_FIELD, sentName } from '../plan/request/argv-option.ts';
import { isRateMode, isVariableRate, rateModeOf } from '../plan/request/frame-rate-modes.ts';
import { videosOf } from '../plan/request/video-options.ts';
import { parseParamsString } from '../values/params-string.ts';
import { quoted } from '../values/value-error.ts';
import { rejectGraph } from './framewise-filters.ts';
import { isManifestMuxer, rejectManifestOption } from './manifest-options.ts';

/** Which runs of a conversion in chunks get an option: the chunks, the other streams, both, or the join. */
export type OptionRole =
  | 'video'
  | 'rest'
  | 'encoders'
  | 'join'
  | 'rest and join'
  | 'video and join'
  | 'everywhere'
  | 'none';

const words = (text: string): readonly string[] => text.split(' ').filter((word) => word !== '');

/** The options that split, and which runs get them. With all others, a conversion runs whole. */
const ROLES: ReadonlyMap<string, OptionRole> = new Map(
  Object.entries({
    // Their effect does not reach across a cut. Each chunk has the bit rates for itself.
    video:
      'crf qp preset tune level level_idc pix_fmt s aspect g keyint_min bf refs sc_threshold b_strategy trellis me_method motion-est ' +
      'me_range subq qmin qmax qcomp qblur qdiff i_qfactor b_qfactor i_qoffset b_qoffset coder color_primaries color_trc colorspace ' +
      'color_range chroma_sample_location field_order thread_type aq-mode aq-strength psy psy-rd weightb ' +
      'weightp rc-lookahead b-pyramid b-bias mixed-refs 8x8dct fast-pskip aud mbtree deblock partitions direct-pred ' +
      'slice-max-size a53cc udu_sei forced-idr chromaoffset nr noise_reduction me_quality sws_flags ' +
      'x264-params x264opts x265-params svtav1-params aom-params deadline quality cpu-used speed row-mt tile-columns ' +
      'tile-rows tiles frame-parallel auto-alt-ref lag-in-frames arnr-maxframes arnr-strength arnr-type arnr_max_frames ' +
      'arnr_strength arnr_type static-thresh tune-content usage la_depth tile_columns tile_rows sc_detection tier ' +
      'enable-cdef enable-global-motion enable-intrabc enable-restoration enable-rect-partitions enable-1to4-partitions ' +
      'enable-ab-partitions enable-angle-delta enable-cfl-intra enable-chroma-deltaq enable-diff-wtd-comp ' +
      'enable-dist-wtd-comp enable-dual-filter enable-filter-intra enable-flip-idtx enable-interinter-wedge ' +
      'enable-interintra-comp enable-interintra-wedge enable-intra-edge-filter enable-masked-comp enable-obmc ' +
      'enable-onesided-comp enable-order-hint enable-palette enable-paeth-intra enable-rect-tx enable-reduced-reference-set ' +
      'enable-ref-frame-mvs enable-smooth-interintra enable-smooth-intra enable-tx64 use-inter-dct-only use-intra-dct-only ' +
      'use-intra-default-tx-only reduced-tx-type-set enable-reduced-reference-set vendor bits_per_mb mbs_per_slice quant_mat alpha_bits ' +
      'autorotate noautorotate b maxrate bufsize filter fps_mode vsync',
    // One run encodes the other streams as in the whole conversion.
    rest:
      'ar ac sample_fmt ch_layout channel_layout cutoff aac_coder aac_ms aac_is aac_pns aac_tns vbr application ' +
      'frame_duration packet_loss fec mapping_family dialnorm joint_stereo abr reservoir compression_level guess_layout_max',
    encoders: 'c threads strict flags q profile bitexact',
    join:
      'metadata map_metadata map_chapters movflags brand video_track_timescale reserve_index_space cues_to_front ' +
      'cluster_size_limit cluster_time_limit default_mode flush_packets write_tmcd metadata_header_padding ' +
      'empty_hdlr_name max_interleave_delta ' +
      // Segments and manifests with these depend on packets alone, which the join copies.
      'hls_time hls_list_size hls_segment_filename hls_segment_type hls_fmp4_init_filename hls_playlist_type hls_base_url ' +
      'hls_allow_cache hls_flags hls_start_number_source start_number master_pl_name var_stream_map seg_duration ' +
      'adaptation_sets init_seg_name media_seg_name use_template use_timeline dash_segment_type',
    everywhere: 'max_muxing_queue_size muxing_queue_data_threshold fflags',
    // The templates write these themselves.
    none: 'an sn dn vn map filter_complex force_key_frames',
  } satisfies Partial<Record<OptionRole, string>>).flatMap(([role, names]) =>
    words(names).map((name) => [name, role as OptionRole] as const),
  ),
);

/** The flags that do not fragment files, and whose effect does not reach across a cut. */
const FLAGS: ReadonlyMap<string, readonly string[]> = new Map([
  ['flags', words('cgop global_header ilme ildct bitexact mv4 loop psnr')],
  ['movflags', words('faststart write_colr write_gama prefer_icc use_metadata_tags disable_chpl')],
  ['fflags', words('bitexact')],
]);

/** Matches parameters of encoder libraries with a memory of the whole video, or with numbers of frames from its start. */
const REJECTED_PARAMETER =
  /^(?:no-?)?(?:bitrate|tbr|mbr|rc|vbv.*|buf.*|min-vbv.*|max-vbv.*|const-vbv|crf-m(?:ax|in)|crf_max|pass|passes|stats?|multi-pass.*|slow-firstpass|qpfile|zone.*|zonefile.*|intra-refresh|irefresh.*|nal-hrd|hrd.*|filler|fps|timebase|force-cfr|tcfile.*|opencl|analysis.*|refine.*|strict-cbr|csv.*|frame-dup|dup-threshold|film-grain.*|recon|chunk-.*|seek|frames|skip|input.*|output.*|keyint-min-frames|abr-ladder|fgs-table|end-usage|target-bitrate)$/;

/**
 * The role of an option, or the reason why the conversion runs whole.
 *
 * @param videos The number of videos of its output.
 */
export function roleOf(
  option: ArgvOption,
  { muxer, videos }: { readonly muxer: string; readonly videos: number },
): OptionRole | WholeReason {
  const { name, specifier = '' } = option.name;
  const isManifest = isManifestMuxer(muxer);
  const role = ROLES.get(name);
  const isOfVideo = videosOf(specifier, videos) !== undefined;
  const sent = quoted(option.field === SERVICE_FIELD ? option.key : sentName(option));
  const whole = (reason: string): WholeReason => ({ whole: `${sent} ${reason}` });
  if (name === 'tag') return specifier !== '' && isOfVideo ? 'video and join' : 'rest and join';
  const isForAnyStream = role === 'join' || role === 'everywhere' || role === 'none';
  // A manifest states the bit rate that is asked for.
  if (!isForAnyStream && /^[asdt](?::|$)/.test(specifier) && !['bsf', 'frames'].includes(name))
    return name === 'b' && isManifest ? 'rest and join' : 'rest';
  if (role === undefined || (option.containerOnly && !isForAnyStream))
    return whole('is not known to have the same effect in chunks.');
  if (!isForAnyStream && !isOfVideo) return whole('may mean other streams than the only video.');
  const reason = rejectManifestOption(option) ?? rejectValue(option, isManifest);
  if (reason !== undefined) return whole(reason);
  const ofFilters = rejectFilters(option);
  if (ofFilters !== undefined) return { whole: ofFilters };
  // Muxers that write segments get a constant frame rate by default, and so do the chunks.
  if (isManifest && isRateMode(option)) return 'none';
  return role === 'encoders' && specifier !== '' ? 'video' : role;
}

/** Why a value of an option may have another effect in chunks: the end of a sentence. */
function rejectValue(option: ArgvOption, isManifest: boolean): string | undefined {
  const {
    name: { name },
    values,
  } = option;
  const [first = ''] = values;
  if (isRateMode(option)) {
    const mode = rateModeOf(first);
    return mode === 'auto' || (!isManifest && isVariableRate(mode))
      ? undefined
      : 'repeats or drops frames by those before a cut.';
  }
  // At this speed, libvpx measures the time that it takes.
  if ((name === 'deadline' || name === 'quality') && ['realtime', '1'].includes(first))
    return 'makes the quality depend on the speed of the machine.';
  const params = PARAMS_OPTIONS.get(name);
  if (params !== undefined) {
    const pairs = values.map((value) => parseParamsString(value, params));
    if (pairs.includes(undefined)) return 'cannot be read.';
    const key = pairs
      .flatMap((all = []) => all)
      .find(([one]) => REJECTED_PARAMETER.test(one.replaceAll('_', '-')))?.[0];
    return key && `sets ${quoted(key)}, which depends on the whole video.`;
  }
  const flags = FLAGS.get(name);
  const other = values.flatMap((value) => value.split(/[+-]/)).find((flag) => flag !== '' && !flags?.includes(flag));
  return flags && other && `has the flag ${quoted(other)}, which is not known to fit chunks.`;
}

const UNKNOWN_FILTERS = 'The filters of the video are not known.';

/** Why the filters of the video may need more than a frame and its time: a sentence. */
function rejectFilters({ name: { name }, checkedGraphs = [], graphs = [] }: ArgvOption): string | undefined {
  if (name !== 'filter' && name !== 'filter_complex') return undefined;
  const checked = checkedGraphs.length > 0 ? checkedGraphs : graphs;
  const isLabelled = name === 'filter_complex';
  const reasons = checked.map((graph) => (isGraphError(graph) ? UNKNOWN_FILTERS : rejectGraph(graph, isLabelled)));
  return checked.length === 0 ? UNKNOWN_FILTERS : reasons.find((reason) => reason !== undefined);
}
