import { AV1_QUALITY, SVTAV1_QUALITY } from '../usual-quality.ts';
import { wordSet } from '../words.ts';
import { MASTERING, type ParamTable, ranges, rejectedParams, values } from './param-table.ts';

/** The parameters that aom_codec_set_option accepts (libaom 3.6). */
export const AOM_PARAMS: ParamTable = {
  allowsNegation: false,
  names: wordSet(
    'cpu-used row-mt fp-mt auto-alt-ref enable-tpl-model enable-restoration enable-rect-partitions lossless ' +
      'enable-ab-partitions enable-1to4-partitions enable-dual-filter enable-intra-edge-filter enable-order-hint ' +
      'enable-tx64 enable-flip-idtx enable-rect-tx enable-dist-wtd-comp enable-masked-comp enable-onesided-comp ' +
      'enable-interintra-comp enable-smooth-interintra enable-diff-wtd-comp enable-interinter-wedge ' +
      'enable-interintra-wedge enable-global-motion enable-warped-motion enable-filter-intra enable-smooth-intra ' +
      'enable-paeth-intra enable-cfl-intra enable-diagonal-intra force-video-mode enable-obmc enable-overlay ' +
      'enable-palette enable-intrabc enable-angle-delta enable-qm reduced-tx-type-set use-intra-dct-only ' +
      'use-inter-dct-only use-intra-default-tx-only quant-b-adapt frame-parallel error-resilient delta-lf-mode ' +
      'frame-boost cdf-update-mode enable-dnl-denoising reduced-reference-set enable-ref-frame-mvs set-tier-mask ' +
      'strict-level-conformance auto-intra-tools-off enable-chroma-deltaq sb-qp-sweep enable-cdef ' +
      'enable-keyframe-filtering sharpness static-thresh tile-columns tile-rows arnr-maxframes arnr-strength tune ' +
      'cq-level max-intra-rate max-inter-rate gf-cbr-boost min-partition-size max-partition-size ' +
      'disable-trellis-quant qm-min qm-max coeff-cost-upd-freq mode-cost-upd-freq mv-cost-upd-freq dv-cost-upd-freq ' +
      'aq-mode deltaq-mode deltaq-strength noise-sensitivity tune-content color-primaries transfer-characteristics ' +
      'matrix-coefficients chroma-sample-position min-gf-interval max-gf-interval gf-min-pyr-height gf-max-pyr-height ' +
      'kf-max-pyr-height sb-size num-tile-groups mtu-size timing-info film-grain-test denoise-noise-level ' +
      'denoise-block-size max-reference-frames target-seq-level-idx min-cr loopfilter-control dist-metric ' +
      'input-chroma-subsampling-x input-chroma-subsampling-y passes',
  ),
  rules: new Map(ranges('cq-level', 0, 63, AV1_QUALITY)),
  rejected: new Map(
    rejectedParams(
      'film-grain-table partition-info-path rate-distribution-info vmaf-model-path two-pass-input two-pass-output fpf',
    ),
  ),
};

/** The parameters that svt_av1_enc_parse_parameter accepts (SVT-AV1 1.4 to 2.3). */
export const SVTAV1_PARAMS: ParamTable = {
  allowsNegation: false,
  names: wordSet(
    'preset profile tier level tune color-format input-depth keyint irefresh-type scd rmv enable-overlays ' +
      'enable-cdef enable-dlf enable-mfmv enable-qm enable-hdr enable-force-key-frames gop-constraint-rc ' +
      'enable-stat-report film-grain-denoise compressed-ten-bit-format lossless avif adaptive-film-grain ' +
      'enable-variance-boost enable-restoration enable-tf lookahead hierarchical-levels pred-struct rc qp crf tbr mbr ' +
      'max-qp min-qp aq-mode fast-decode film-grain scm tile-rows tile-columns lp pin ss asm fps-num fps-denom ' +
      'color-primaries transfer-characteristics matrix-coefficients color-range chroma-sample-position ' +
      'mastering-display content-light buf-sz buf-initial-sz buf-optimal-sz undershoot-pct overshoot-pct ' +
      'mbr-overshoot-pct maxsection-pct minsection-pct bias-pct recode-loop superres-mode superres-denom ' +
      'superres-kf-denom resize-denom resize-kf-denom superres-qthres superres-kf-qthres resize-mode sframe-dist ' +
      'sframe-mode qm-min qm-max startup-mg-size variance-boost-strength variance-octile sharpness ' +
      'qp-scale-compress-strength',
  ),
  rules: new Map([
    ...ranges('lp pin', 0, 128),
    ...values('mastering-display', MASTERING, 'G(0.265,0.69)B(0.15,0.06)R(0.68,0.32)WP(0.3127,0.329)L(1000,0.001)'),
    ...ranges('qp crf', 0, 70, SVTAV1_QUALITY),
  ]),
  rejected: new Map([
    ...rejectedParams('stats use-q-file qpfile roi-map-file fgs-table stat-file errlog input output config recon'),
    ...rejectedParams('pass passes', 'libsvtav1 has no second pass here'),
  ]),
};
