import { X265_QUALITY } from '../usual-quality.ts';
import { wordSet } from '../words.ts';
import { MASTERING, type ParamTable, ranges, rejectedParams, values } from './param-table.ts';

/** The parameters that x265_param_parse accepts (x265 3.5). */
export const X265_PARAMS: ParamTable = {
  allowsNegation: true,
  names: wordSet(
    'asm fps frame-threads pmode pme wpp copy-pic high-tier allow-non-conformance limit-modes rect amp early-skip ' +
      'tskip tskip-fast temporal-mvp weightp weightb analyze-src-pics hme strong-intra-smoothing lossless cu-lossless ' +
      'signhide constrained-intra fast-intra intra-refresh b-pyramid hist-scenecut rd-refine b-intra sao limit-sao ' +
      'sao-non-deblock cutree rc-grain aq-motion hevc-aq const-vbv strict-cbr slow-firstpass multi-pass-opt-rps ' +
      'opt-qp-pps opt-cu-delta-qp opt-ref-list-length-pps repeat-headers info hrd hrd-concat aud annexb hdr hdr10 ' +
      'hdr-opt hdr10-opt dhdr10-opt uhd-bd ssim psnr ssim-rd vui-timing-info vui-hrd-info single-sei idr-recovery-sei ' +
      'field frame-dup dynamic-refine lowpass-dct splitrd-skip vbv-live-multi-pass open-gop level level-idc ref ' +
      'limit-refs ctu min-cu-size max-tu-size tu-intra-depth tu-inter-depth limit-tu me subme merange max-merge ' +
      'hme-search hme-range lookahead-threads bframes b-adapt bframe-bias scenecut hist-threshold scenecut-bias ' +
      'scenecut-aware-qp masking-strength radl rc-lookahead gop-lookahead lookahead-slices keyint min-keyint rskip ' +
      'rskip-edge-threshold rd rdoq rdoq-level psy-rd psy-rdoq selective-sao deblock nr-intra nr-inter cbqpoffs ' +
      'crqpoffs total-frames chunk-start chunk-end sar overscan videoformat range colorprim transfer colormatrix ' +
      'chromaloc display-window crop-rect master-display max-cll min-luma max-luma atc-sei pic-struct hash interlace ' +
      'temporal-layers bitrate qp crf crf-max crf-min vbv-maxrate vbv-bufsize vbv-init vbv-end vbv-end-fr-adj ' +
      'min-vbv-fullness max-vbv-fullness aq-mode aq-strength qp-adaptation-range qg-size qcomp qpstep qpmin qpmax ' +
      'qblur cplxblur ipratio pbratio zones csv-log-level log-level log dolby-vision-profile refine-intra ' +
      'refine-inter refine-mv refine-analysis-type refine-ctu-distortion analysis-reuse-level ' +
      'analysis-save-reuse-level scale-factor slices pools numa-pools dup-threshold max-ausize-factor force-flush ' +
      'ctu-info log2-max-poc-lsb scaling-list input-csp',
  ),
  rules: new Map([
    ...ranges('frame-threads', 0, 16),
    ...ranges('lookahead-threads', 0, 64),
    ...values('pools numa-pools', /^(?:none|[\d*+,-]+)$/, '4'),
    // Any other word is the name of a file.
    ...values('scaling-list', /^(?:off|default)$/, 'default'),
    ...values('master-display', MASTERING, 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)'),
    ...ranges('qp crf crf-max crf-min', -12, 51, X265_QUALITY),
  ]),
  rejected: new Map([
    ...rejectedParams('stats', 'with the option "pass", the service keeps the log of both passes'),
    ...rejectedParams('pass', 'it is the option "pass" of the request'),
    ...rejectedParams('multi-pass-opt-analysis multi-pass-opt-distortion', 'x265 would write a file for it'),
    ...rejectedParams('csv lambda-file nalu-file zonefile analysis-save analysis-load abr-ladder recon'),
    ...rejectedParams('dhdr10-info dolby-vision-rpu film-grain qpfile'),
    ...rejectedParams('preset tune profile', 'it is an option of the request'),
  ]),
};
