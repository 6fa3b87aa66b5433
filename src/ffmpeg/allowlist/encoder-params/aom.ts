import { type KeyTable, refusing, shape, whole, word } from './param-rule.ts';

/** On or off, which libaom reads as numbers only. */
const flags = (names: string) => word(names, '0 1');

/** The names of libaom's aom_codec_set_option (3.6) with the ranges of `aomenc --help`. */
export const AOM_KEYS: KeyTable = {
  loose: false,
  keys: new Map([
    ...whole('cpu-used', 0, 11),
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
    ...whole('enable-cdef', 0, 2),
    ...whole('enable-keyframe-filtering', 0, 2),
    ...whole('sharpness', 0, 7),
    ...whole('static-thresh', 0),
    ...whole('tile-columns tile-rows', 0, 6),
    ...whole('arnr-maxframes', 0, 15),
    ...whole('arnr-strength', 0, 6),
    ...word('tune', 'psnr ssim butteraugli'),
    ...whole('cq-level', 0, 63),
    ...whole('max-intra-rate max-inter-rate gf-cbr-boost', 0),
    ...word('min-partition-size max-partition-size', '4 8 16 32 64 128'),
    ...whole('disable-trellis-quant', 0, 3),
    ...whole('qm-min qm-max', 0, 15),
    ...whole('coeff-cost-upd-freq mode-cost-upd-freq mv-cost-upd-freq dv-cost-upd-freq', 0, 3),
    ...whole('aq-mode', 0, 3),
    ...whole('deltaq-mode', 0, 6),
    ...whole('deltaq-strength', 0, 1000),
    ...whole('noise-sensitivity', 0, 6),
    ...word('tune-content', 'default screen film'),
    ...shape('color-primaries transfer-characteristics matrix-coefficients', /^[\w-]{1,32}$/, 'bt709'),
    ...word('chroma-sample-position', 'unknown vertical colocated'),
    ...whole('min-gf-interval max-gf-interval', 0, 32),
    ...whole('gf-min-pyr-height gf-max-pyr-height kf-max-pyr-height', -1, 5),
    ...word('sb-size', 'dynamic 64 128'),
    ...whole('num-tile-groups', 1, 16),
    ...whole('mtu-size', 0),
    ...word('timing-info', 'unspecified constant model'),
    ...whole('film-grain-test', 0, 16),
    ...whole('denoise-noise-level', 0, 50),
    ...whole('denoise-block-size', 2, 64),
    ...whole('max-reference-frames', 3, 7),
    ...shape('target-seq-level-idx', /^\d{1,4}$/, '31'),
    ...whole('min-cr', 0, 100),
    ...whole('loopfilter-control', 0, 3),
    ...word('dist-metric', 'psnr qm-psnr'),
    ...whole('input-chroma-subsampling-x input-chroma-subsampling-y', 0, 1),
    ...whole('passes', 1, 3),
  ]),
  refused: new Map([
    ...refusing('film-grain-table', 'Send "film-grain-test" or "denoise-noise-level".'),
    ...refusing('partition-info-path rate-distribution-info vmaf-model-path two-pass-input two-pass-output fpf'),
  ]),
};
