import type { Recipe, RecipeArgument, RecipeResult } from '@telecine/contract/domain/recipe.ts';
import {
  atMostInput,
  H264_WITHOUT_CRF,
  ladderHeights,
  number,
  phrases,
  STEREO_AAC_IF_ANY,
  usualKilobits,
  VIDEO,
  wholeNumber,
} from './parts.ts';

const LADDER_ARGUMENTS = {
  top: atMostInput(
    wholeNumber(
      240,
      2160,
      1080,
      'The height of the best version. A lower video keeps its height. The others have two thirds and a third of it.',
      'px',
    ),
  ),
  segment: number(1, 30, 4, 'The length of a segment in seconds.', 's'),
} as const satisfies Readonly<Record<string, RecipeArgument>>;

const LADDER_VALUES = {
  ...ladderHeights({ high: 'high', middle: 'middle', low: 'low' }),
  highRate: usualKilobits('high'),
  middleRate: usualKilobits('middle'),
  lowRate: usualKilobits('low'),
  highLimit: 'round(highRate * 1.5)',
  middleLimit: 'round(middleRate * 1.5)',
  lowLimit: 'round(lowRate * 1.5)',
} as const;

/** Without `setsar`, versions of a video without a shape of its pixels would have unequal shapes, which the format dash rejects. */
const RENDITIONS =
  '[0:v]setsar=sar,split=3[a][b][c];[a]scale=-2:{{high}}[high];[b]scale=-2:{{middle}}[middle];[c]scale=-2:{{low}}[low]';

/**
 * The options of the versions of an adaptive stream. All versions have key frames at the same times, so that a player can switch between
 * them at each segment.
 */
const LADDER = {
  ...H264_WITHOUT_CRF,
  'maxrate:v:0': '{{highLimit}}k',
  'bufsize:v:0': '{{highLimit}}k',
  'maxrate:v:1': '{{middleLimit}}k',
  'bufsize:v:1': '{{middleLimit}}k',
  'maxrate:v:2': '{{lowLimit}}k',
  'bufsize:v:2': '{{lowLimit}}k',
  force_key_frames: 'expr:gte(t,n_forced*{{segment}})',
  sc_threshold: '0',
  ...STEREO_AAC_IF_ANY,
} as const;

/** The average bit rates of the three versions. */
const RATES = { 'b:v:0': '{{highRate}}k', 'b:v:1': '{{middleRate}}k', 'b:v:2': '{{lowRate}}k' } as const;

/** The default track is in each of the versions. */
const STREAMED = { keeps: ['picture', 'sound'], changes: ['size'] } as const satisfies RecipeResult;

/** Recipes for adaptive streaming. Both write fragmented MP4 (CMAF). */
export const STREAMING: readonly Recipe[] = [
  {
    name: 'hls',
    version: 4,
    title: 'HLS in three qualities',
    description:
      'Packages a video for adaptive streaming: a master playlist "master.m3u8", and three versions in segments of fragmented MP4 (CMAF). Name the output with %v, such as "hls/stream_%v.m3u8".',
    result: STREAMED,
    words: phrases`
      streaming, adaptive, m3u8, ladder, abr, playlist, apple, cmaf, renditions, segments, player, bandwidth, vod,
      hls.js, qualities, slow connection, internet speed, hls stream, live streaming format, ios streaming, m3u8
      playlist, adaptive bitrate, several qualities, several bitrates, multi bitrate, video on demand, streaming server,
      cdn, quality switching, slow and fast internet, network speed, bad connection, weak connection, mobile data,
      switch quality, quality that adapts, adapts to the connection, stream a lecture, video course, streaming site,
      different connections, watch without stutter`,
    inputs: [VIDEO],
    outputs: ['m3u8'],
    arguments: LADDER_ARGUMENTS,
    values: LADDER_VALUES,
    request: {
      parameters: {
        filter_complex: RENDITIONS,
        map: {
          when: 'input.sounds',
          value: ['[high]', '0:a:0', '[middle]', '0:a:0', '[low]', '0:a:0'],
          otherwise: ['[high]', '[middle]', '[low]'],
        },
        ...LADDER,
        // No average rate is set, so ffmpeg writes the limit as BANDWIDTH. Players read BANDWIDTH as the highest rate of any segment (RFC
        // 8216, 4.3.4.2). With an average rate, the largest segments exceeded BANDWIDTH by a third.
        crf: '22',
        hls_time: '{{segment}}',
        hls_playlist_type: 'vod',
        hls_segment_type: 'fmp4',
        hls_flags: 'independent_segments',
        master_pl_name: 'master.m3u8',
        var_stream_map: { when: 'input.sounds', value: 'v:0,a:0 v:1,a:1 v:2,a:2', otherwise: 'v:0 v:1 v:2' },
      },
    },
  },
  {
    name: 'ladder-per-title',
    version: 2,
    title: 'HLS with a ladder for this video',
    description:
      'Packages a video for adaptive streaming by HLS with a ladder of its own: samples show which sizes and bit rates this video needs, so an easy one gets fewer bytes, and a hard one enough. Name the output after the master playlist, such as "hls/master.m3u8".',
    result: STREAMED,
    words: phrases`
      per-title encoding, per title ladder, convex hull, content-aware, content adaptive, optimized ladder, optimal
      bitrates, bitrate ladder, encoding ladder, abr ladder, rungs, ladder optimization, netflix, bitmovin, streaming,
      adaptive, m3u8, hls, smart ladder, dynamic ladder, save bandwidth, save storage, reduce cdn costs, best resolution
      for each bitrate, automatic renditions, choose renditions, per shot, context aware encoding, title-based`,
    inputs: [VIDEO],
    outputs: ['m3u8'],
    arguments: {
      target: number(
        0.5,
        0.999,
        0.98,
        'The quality of the best version, as SSIM: 0.98 looks like the source, 0.96 is smaller.',
      ),
      top: atMostInput(
        wholeNumber(
          240,
          4320,
          1080,
          'The height of what is streamed in the best quality. A lower video keeps its height. No version is larger.',
          'px',
        ),
      ),
      most: wholeNumber(2, 8, 8, 'The highest number of versions.'),
      segment: LADDER_ARGUMENTS.segment,
    },
    values: {
      // The limit of the best rung in Apple's HLS authoring specification: 7800 kb/s at 1920x1080.
      limit: '1000 * max(1000, round(0.00669 * min(top, input.height) * min(top, input.height)))',
    },
    request: {
      ladder: { target: '{{target}}', maxRungs: '{{most}}', maxBitrate: '{{limit}}' },
      parameters: {
        vf: "scale=-2:'trunc(min({{top}},ih)/2)*2'",
        ...H264_WITHOUT_CRF,
        force_key_frames: LADDER.force_key_frames,
        sc_threshold: LADDER.sc_threshold,
        ...STEREO_AAC_IF_ANY,
        hls_time: '{{segment}}',
        hls_playlist_type: 'vod',
        hls_segment_type: 'fmp4',
        hls_flags: 'independent_segments',
      },
    },
  },
  {
    name: 'dash',
    version: 3,
    title: 'MPEG-DASH in three qualities',
    description:
      'Packages a video for adaptive streaming: a manifest, and three versions in segments of fragmented MP4 (CMAF).',
    result: STREAMED,
    words: phrases`
      streaming, adaptive, mpd, ladder, abr, manifest, cmaf, renditions, segments, dash.js, shaka, mpeg-dash, slow
      connection, internet speed, dash stream, mpd manifest, adaptive bitrate, several bitrates, several qualities,
      multi bitrate, exoplayer, slow and fast internet, network speed, bad connection, mobile data, quality that adapts,
      adapts to the connection, streaming site, different connections`,
    inputs: [VIDEO],
    outputs: ['mpd'],
    arguments: LADDER_ARGUMENTS,
    values: LADDER_VALUES,
    request: {
      parameters: {
        filter_complex: RENDITIONS,
        map: {
          when: 'input.sounds',
          value: ['[high]', '[middle]', '[low]', '0:a:0'],
          otherwise: ['[high]', '[middle]', '[low]'],
        },
        ...LADDER,
        ...RATES,
        seg_duration: '{{segment}}',
        adaptation_sets: { when: 'input.sounds', value: 'id=0,streams=v id=1,streams=a', otherwise: 'id=0,streams=v' },
      },
    },
  },
];
