import type { WholeReason } from '@telecine/contract/domain/chunks.ts';
import { PARAMS_OPTIONS } from '../allowlist/encoder-params/tables.ts';
import { type Graph, isGraphError } from '../filtergraph/graph.ts';
import { type ArgvOption, SERVICE_FIELD, sentName } from '../plan/request/argv-option.ts';
import { isRateMode, isVariableRate, rateModeOf, type SentRateMode } from '../plan/request/frame-rate-modes.ts';
import { videosOf } from '../plan/request/video-options.ts';
import { parseParamsString } from '../values/params-string.ts';
import { quoted } from '../values/value-error.ts';
import { rejectComplexGraph, rejectGraph } from './framewise-filters.ts';
import { isManifestMuxer, isManifestOption, rejectManifestOption } from './manifest-options.ts';

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

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Options of video encoders whose effect does not reach across a cut. */
const VIDEO: ReadonlySet<string> = words(
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
    'autorotate noautorotate',
);

/** Options of the other streams, which one run encodes as in the whole conversion. */
const REST: ReadonlySet<string> = words(
  'ar ac sample_fmt ch_layout channel_layout cutoff aac_coder aac_ms aac_is aac_pns aac_tns vbr application ' +
    'frame_duration packet_loss fec mapping_family dialnorm joint_stereo abr reservoir compression_level guess_layout_max',
);

/** Options for encoders of any kind. */
const ENCODERS: ReadonlySet<string> = words('c threads strict flags q profile bitexact');

/** Options of the container, its tags and chapters. */
const JOIN: ReadonlySet<string> = words(
  'metadata map_metadata map_chapters disposition movflags brand video_track_timescale reserve_index_space cues_to_front ' +
    'cluster_size_limit cluster_time_limit default_mode flush_packets write_tmcd metadata_header_padding ' +
    'empty_hdlr_name max_interleave_delta',
);

/** Options that each run gets. */
const EVERYWHERE: ReadonlySet<string> = words('max_muxing_queue_size muxing_queue_data_threshold fflags');

/** Options that select streams. The runs get them in other words. */
const SELECTION: ReadonlySet<string> = words('an sn dn vn map');

/** Bit rates of videos. Each chunk has them for itself. */
const RATES: ReadonlySet<string> = words('b maxrate bufsize');

const RATE_CONTROL = 'is kept over the whole video, so a chunk alone would have another quality.';
const REPEATS = 'repeats or drops frames by those before a cut.';
const PART = 'takes a part of the video.';

/** Why a conversion with an option runs whole. The sentence begins with the name of the option. */
const REASONS: ReadonlyMap<string, string> = new Map([
  ...['ss', 't', 'to', 'sseof'].map((name) => [name, PART] as const),
  ...['r', 'fpsmax', 'force_fps'].map((name) => [name, REPEATS] as const),
  ...['minrate', 'rc_init_occupancy', 'cbr', 'nal-hrd', 'crf_max', 'crf-max'].map(
    (name) => [name, RATE_CONTROL] as const,
  ),
  ['fs', 'ends the output at a size.'],
  ['shortest', 'ends the video with another stream.'],
  ['frames', 'counts the frames of the whole video.'],
  ['bsf', 'may change the headers or times of the video.'],
  ['intra-refresh', 'replaces key frames, at which chunks are joined.'],
  ['target', 'sets a bit rate for the whole video.'],
]);

/** Flags of codecs that may be set. */
const FLAGS: ReadonlySet<string> = words('cgop global_header ilme ildct bitexact mv4 loop psnr');
/** Flags of the mov muxer that do not fragment the file. */
const MOVFLAGS: ReadonlySet<string> = words(
  'faststart write_colr write_gama prefer_icc use_metadata_tags disable_chpl',
);
const FORMAT_FLAGS: ReadonlySet<string> = words('bitexact');

/** Matches parameters of encoder libraries with a memory of the whole video, or with numbers of frames from its start. */
const REJECTED_PARAMETER =
  /^(?:no-?)?(?:bitrate|tbr|mbr|rc|vbv.*|buf.*|min-vbv.*|max-vbv.*|const-vbv|crf-m(?:ax|in)|crf_max|pass|passes|stats?|multi-pass.*|slow-firstpass|qpfile|zone.*|zonefile.*|intra-refresh|irefresh.*|nal-hrd|hrd.*|filler|fps|timebase|force-cfr|tcfile.*|opencl|analysis.*|refine.*|strict-cbr|csv.*|frame-dup|dup-threshold|film-grain.*|recon|chunk-.*|seek|frames|skip|input.*|output.*|keyint-min-frames|abr-ladder|fgs-table|end-usage|target-bitrate)$/;

/** The output to which an option belongs. */
export interface OptionOutput {
  readonly muxer: string;
  /** The number of its videos. */
  readonly videos: number;
}

/** The role of an option, or the reason why the conversion runs whole. */
export function roleOf(option: ArgvOption, { muxer, videos }: OptionOutput): OptionRole | WholeReason {
  const {
    name: { name, specifier = '' },
    values,
    containerOnly,
  } = option;
  const sent = quoted(option.field === SERVICE_FIELD ? option.key : sentName(option));
  const isManifest = isManifestMuxer(muxer);
  if (isManifest && isManifestOption(muxer, name)) {
    const rejected = rejectManifestOption(option);
    return rejected === undefined ? 'join' : whole(sent, rejected);
  }
  if (JOIN.has(name)) return rejectFlags(name, values, sent) ?? 'join';
  if (SELECTION.has(name)) return 'none';
  if (EVERYWHERE.has(name)) return rejectFlags(name, values, sent) ?? 'everywhere';
  const isOfVideo = videosOf(specifier, videos) !== undefined;
  if (name === 'tag') return specifier !== '' && isOfVideo ? 'video and join' : 'rest and join';
  const isOther = /^[asdt](?::|$)/.test(specifier);
  // A manifest states the bit rate that is asked for.
  if (isOther && name === 'b' && isManifest) return 'rest and join';
  if (isOther && name !== 'bsf') return REASONS.has(name) ? whole(sent, REASONS.get(name)) : 'rest';
  if (!isOther && !isOfVideo) return whole(sent, 'may mean other streams than the only video.');
  if (RATES.has(name)) return 'video';
  const reason = REASONS.get(name);
  if (reason !== undefined) return whole(sent, reason);
  if (containerOnly) return whole(sent, 'is not known to fit the container of chunks.');
  if (name === 'filter') return rejectFilters(option, rejectGraph) ?? 'video';
  if (name === 'filter_complex') return rejectFilters(option, rejectComplexGraph) ?? 'none';
  if (name === 'force_key_frames') return 'none';
  if (isRateMode(option)) return roleOfRateMode(rateModeOf(values[0] ?? ''), isManifest) ?? whole(sent, REPEATS);
  if (PARAMS_OPTIONS.has(name)) return rejectParameters(option, sent) ?? 'video';
  if (VIDEO.has(name)) return name === 'deadline' || name === 'quality' ? rejectRealtime(values, sent) : 'video';
  if (ENCODERS.has(name)) {
    const rejected = rejectFlags(name, values, sent);
    if (rejected !== undefined) return rejected;
    return specifier === '' ? 'encoders' : 'video';
  }
  if (REST.has(name)) return 'rest';
  return whole(sent, 'is not known to have the same effect in chunks.');
}

/** Muxers that write segments get a constant frame rate by default, and so do the chunks. */
function roleOfRateMode(mode: SentRateMode | undefined, isManifest: boolean): OptionRole | undefined {
  if (mode === 'auto') return isManifest ? 'none' : 'video';
  return !isManifest && isVariableRate(mode) ? 'video' : undefined;
}

const whole = (sent: string, reason = ''): WholeReason => ({ whole: `${sent} ${reason}` });

function rejectFlags(name: string, values: readonly string[], sent: string): WholeReason | undefined {
  const allowed =
    name === 'flags' ? FLAGS : name === 'movflags' ? MOVFLAGS : name === 'fflags' ? FORMAT_FLAGS : undefined;
  if (allowed === undefined) return undefined;
  const other = values.flatMap((value) => value.split(/[+-]/)).find((flag) => flag !== '' && !allowed.has(flag));
  return other === undefined
    ? undefined
    : whole(sent, `has the flag ${quoted(other)}, which is not known to fit chunks.`);
}

function rejectFilters(
  { checkedGraphs = [], graphs = [] }: ArgvOption,
  reject: (graph: Graph) => string | undefined,
): WholeReason | undefined {
  const checked = checkedGraphs.length > 0 ? checkedGraphs : graphs;
  if (checked.length === 0) return { whole: 'The filters of the video are not known.' };
  for (const graph of checked) {
    const reason = isGraphError(graph) ? 'The filters of the video are not known.' : reject(graph);
    if (reason !== undefined) return { whole: reason };
  }
  return undefined;
}

function rejectParameters({ name, values }: ArgvOption, sent: string): WholeReason | undefined {
  const option = PARAMS_OPTIONS.get(name.name);
  if (option === undefined) return undefined;
  for (const value of values) {
    const pairs = parseParamsString(value, option);
    if (pairs === undefined) return whole(sent, 'cannot be read.');
    const rejected = pairs.find(([key]) => REJECTED_PARAMETER.test(key.replaceAll('_', '-')));
    if (rejected !== undefined) return whole(sent, `sets ${quoted(rejected[0])}, which depends on the whole video.`);
  }
  return undefined;
}

/** At this speed, libvpx measures the time that it takes. */
const rejectRealtime = ([value]: readonly string[], sent: string): OptionRole | WholeReason =>
  value === 'realtime' || value === '1'
    ? whole(sent, 'makes the quality depend on the speed of the machine.')
    : 'video';
