import { AV1_QUALITY } from '../quality-scales.ts';
import { type ParamTable, patternParams, rejectedParams, scaleParams, wholeParams, wordParams } from './param-rule.ts';

/** Rules for switches. libaom accepts only 0 and 1 for them. */
const flags = (names: string) => wordParams(names, '0 1');

/** The parameters that aom_codec_set_option accepts (libaom 3.6), with the ranges from `aomenc --help`. */
export const AOM_PARAMS: ParamTable = {
  allowsNegation: false,
  params: new Map([
    ...wholeParams('cpu-used', 0, 11),
    ...flags('row-mt fp-mt auto-alt-ref enable-tpl-model enable-restoration enable-rect-partitions lossless'),
    ...flags(
      'enable-ab-partitions enable-1to4-partitions enable-dual-filter enable-intra-edge-filter enable-order-hint',
    ),
    ...flags(
      'enable-tx64 enable-flip-idtx enable-rect-tx enable-dist-wtd-comp enable-masked-comp enable-onesided-comp',
    ),
    ...flags('enable-interintra-comp enable-smooth-interintra enable-diff-wtd-comp enable-interinter-wedge'),
    ...flags(
      'enable-interintra-wedge enable-global-motion enable-warped-motion enable-filter-intra enable-smooth-intra',
    ),
    ...flags('enable-paeth-intra enable-cfl-intra enable-diagonal-intra force-video-mode enable-obmc enable-overlay'),
    ...flags('enable-palette enable-intrabc enable-angle-delta enable-qm reduced-tx-type-set use-intra-dct-only'),
    ...flags('use-inter-dct-only use-intra-default-tx-only quant-b-adapt frame-parallel error-resilient delta-lf-mode'),
    ...flags('frame-boost cdf-update-mode enable-dnl-denoising reduced-reference-set enable-ref-frame-mvs'),
    ...flags('set-tier-mask strict-level-conformance auto-intra-tools-off enable-chroma-deltaq sb-qp-sweep'),
    ...wholeParams('enable-cdef', 0, 2),
    ...wholeParams('enable-keyframe-filtering', 0, 2),
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
    ...rejectedParams('film-grain-table', 'Send "film-grain-test" or "denoise-noise-level".'),
    ...rejectedParams('partition-info-path rate-distribution-info vmaf-model-path two-pass-input two-pass-output fpf'),
  ]),
};
