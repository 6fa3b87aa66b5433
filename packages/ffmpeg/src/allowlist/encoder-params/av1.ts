import { AV1_QUALITY, SVTAV1_QUALITY } from '../usual-quality.ts';
import {
  decimalParams,
  LIGHT,
  MASTERING,
  type ParamTable,
  patternParams,
  rejectedParams,
  scaleParams,
  switchParams,
  wholeParams,
  wordParams,
} from './param-rule.ts';

/** The parameters that aom_codec_set_option accepts (libaom 3.6). The ranges are from `aomenc --help`. */
export const AOM_PARAMS: ParamTable = {
  allowsNegation: false,
  params: new Map([
    ...wholeParams('cpu-used', 0, 11),
    // For switches, libaom accepts 0 and 1 only.
    ...wordParams(
      'row-mt fp-mt auto-alt-ref enable-tpl-model enable-restoration enable-rect-partitions lossless ' +
        'enable-ab-partitions enable-1to4-partitions enable-dual-filter enable-intra-edge-filter enable-order-hint ' +
        'enable-tx64 enable-flip-idtx enable-rect-tx enable-dist-wtd-comp enable-masked-comp enable-onesided-comp ' +
        'enable-interintra-comp enable-smooth-interintra enable-diff-wtd-comp enable-interinter-wedge ' +
        'enable-interintra-wedge enable-global-motion enable-warped-motion enable-filter-intra enable-smooth-intra ' +
        'enable-paeth-intra enable-cfl-intra enable-diagonal-intra force-video-mode enable-obmc enable-overlay ' +
        'enable-palette enable-intrabc enable-angle-delta enable-qm reduced-tx-type-set use-intra-dct-only ' +
        'use-inter-dct-only use-intra-default-tx-only quant-b-adapt frame-parallel error-resilient delta-lf-mode ' +
        'frame-boost cdf-update-mode enable-dnl-denoising reduced-reference-set enable-ref-frame-mvs set-tier-mask ' +
        'strict-level-conformance auto-intra-tools-off enable-chroma-deltaq sb-qp-sweep',
      '0 1',
    ),
    ...wholeParams('enable-cdef enable-keyframe-filtering', 0, 2),
    ...wholeParams('sharpness', 0, 7),
    ...wholeParams('static-thresh', 0),
    ...wholeParams('tile-columns tile-rows', 0, 6),
    ...wholeParams('arnr-maxframes', 0, 15),
    ...wholeParams('arnr-strength', 0, 6),
    ...wordParams('tune', 'psnr ssim butteraugli'),
    ...scaleParams('cq-level', 0, 63, AV1_QUALITY, true),
    ...wholeParams('max-intra-rate max-inter-rate gf-cbr-boost', 0),
    ...wordParams('min-partition-size max-partition-size', '4 8 16 32 64 128'),
    ...wholeParams('disable-trellis-quant', 0, 3),
    ...wholeParams('qm-min qm-max', 0, 15),
    ...wholeParams('coeff-cost-upd-freq mode-cost-upd-freq mv-cost-upd-freq dv-cost-upd-freq', 0, 3),
    ...wholeParams('aq-mode', 0, 3),
    ...wholeParams('deltaq-mode', 0, 6),
    ...wholeParams('deltaq-strength', 0, 1000),
    ...wholeParams('noise-sensitivity', 0, 6),
    ...wordParams('tune-content', 'default screen film'),
    ...patternParams('color-primaries transfer-characteristics matrix-coefficients', /^[\w-]{1,32}$/, 'bt709'),
    ...wordParams('chroma-sample-position', 'unknown vertical colocated'),
    ...wholeParams('min-gf-interval max-gf-interval', 0, 32),
    ...wholeParams('gf-min-pyr-height gf-max-pyr-height kf-max-pyr-height', -1, 5),
    ...wordParams('sb-size', 'dynamic 64 128'),
    ...wholeParams('num-tile-groups', 1, 16),
    ...wholeParams('mtu-size', 0),
    ...wordParams('timing-info', 'unspecified constant model'),
    ...wholeParams('film-grain-test', 0, 16),
    ...wholeParams('denoise-noise-level', 0, 50),
    ...wholeParams('denoise-block-size', 2, 64),
    ...wholeParams('max-reference-frames', 3, 7),
    ...patternParams('target-seq-level-idx', /^\d{1,4}$/, '31'),
    ...wholeParams('min-cr', 0, 100),
    ...wholeParams('loopfilter-control', 0, 3),
    ...wordParams('dist-metric', 'psnr qm-psnr'),
    ...wholeParams('input-chroma-subsampling-x input-chroma-subsampling-y', 0, 1),
    ...wholeParams('passes', 1, 3),
  ]),
  rejected: new Map([
    ...rejectedParams(
      'film-grain-table partition-info-path rate-distribution-info vmaf-model-path two-pass-input two-pass-output fpf',
    ),
  ]),
};

/** The parameters that svt_av1_enc_parse_parameter accepts (SVT-AV1 1.4 to 2.3). The ranges are from its manual. */
export const SVTAV1_PARAMS: ParamTable = {
  allowsNegation: false,
  params: new Map([
    ...wholeParams('preset', -2, 13),
    ...wordParams('profile', 'main high professional 0 1 2'),
    ...wordParams('tier', 'main high 0 1'),
    ...wholeParams('level', 0, 73),
    ...wholeParams('tune', 0, 4),
    ...wordParams('color-format', 'mono yuv420 yuv422 yuv444 0 1 2 3'),
    ...wordParams('input-depth', '8 10'),
    ...patternParams('keyint', /^-?\d{1,6}s?$/, '120 (frames) or 5s'),
    ...wholeParams('irefresh-type', 1, 2),
    ...switchParams(
      'scd rmv enable-overlays enable-cdef enable-dlf enable-mfmv enable-qm enable-hdr enable-force-key-frames ' +
        'gop-constraint-rc enable-stat-report film-grain-denoise compressed-ten-bit-format lossless avif ' +
        'adaptive-film-grain enable-variance-boost',
    ),
    ...wholeParams('enable-restoration', -1, 1),
    ...wholeParams('enable-tf', 0, 2),
    ...wholeParams('lookahead', -1, 120),
    ...wholeParams('hierarchical-levels', 0, 5),
    ...wholeParams('pred-struct rc', 0, 2),
    ...scaleParams('qp crf', 0, 70, SVTAV1_QUALITY, true),
    ...patternParams('tbr mbr', /^\d+(?:\.\d+)?[kKmMbB]{0,2}$/, '1000 (kbit/s)'),
    ...wholeParams('max-qp min-qp', 0, 63),
    ...wholeParams('aq-mode fast-decode', 0, 2),
    ...wholeParams('film-grain', 0, 50),
    ...wholeParams('scm', 0, 3),
    ...wholeParams('tile-rows tile-columns', 0, 6),
    ...wholeParams('lp pin', 0, 128),
    ...wholeParams('ss', -1, 1),
    ...wordParams('asm', 'c mmx sse sse2 sse3 ssse3 sse4_1 sse4_2 avx avx2 avx512 neon max 0 1 2 3 4 5 6 7 8 9 10 11'),
    ...wholeParams('fps-num fps-denom', 1),
    ...patternParams('color-primaries transfer-characteristics matrix-coefficients', /^[\w-]{1,32}$/, 'bt709'),
    ...wordParams('color-range', 'studio full 0 1'),
    ...wordParams('chroma-sample-position', 'unknown vertical left colocated topleft 0 1 2'),
    ...patternParams(
      'mastering-display',
      MASTERING,
      'G(0.265,0.69)B(0.15,0.06)R(0.68,0.32)WP(0.3127,0.329)L(1000,0.001)',
    ),
    ...patternParams('content-light', LIGHT, '1000,400'),
    ...wholeParams('buf-sz buf-initial-sz buf-optimal-sz', 0, 10_000),
    ...wholeParams('undershoot-pct overshoot-pct mbr-overshoot-pct', 0, 1000),
    ...wholeParams('maxsection-pct minsection-pct bias-pct', 0, 10_000),
    ...wholeParams('recode-loop superres-mode', 0, 4),
    ...wholeParams('superres-denom superres-kf-denom resize-denom resize-kf-denom', 8, 16),
    ...wholeParams('superres-qthres superres-kf-qthres', 0, 63),
    ...wholeParams('resize-mode', 0, 4),
    ...wholeParams('sframe-dist', 0),
    ...wholeParams('sframe-mode', 1, 2),
    ...wholeParams('qm-min qm-max', 0, 15),
    ...wholeParams('startup-mg-size', 0, 4),
    ...wholeParams('variance-boost-strength', 1, 4),
    ...wholeParams('variance-octile', 1, 8),
    ...wholeParams('sharpness', -7, 7),
    ...decimalParams('qp-scale-compress-strength', 0, 3),
  ]),
  rejected: new Map([
    ...rejectedParams('stats use-q-file qpfile roi-map-file fgs-table stat-file errlog input output config recon'),
    ...rejectedParams('pass passes', 'libsvtav1 has no second pass here'),
  ]),
};
