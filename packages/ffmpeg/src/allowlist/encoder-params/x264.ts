import { X264_QP, X264_QUALITY } from '../usual-quality.ts';
import { wordSet } from '../words.ts';
import { MASTERING, type ParamTable, ranges, rejectedParams, values } from './param-table.ts';

/** The parameters that x264_param_parse accepts (x264 164), which clamps numbers beyond their range without a word. */
export const X264_PARAMS: ParamTable = {
  allowsNegation: true,
  names: wordSet(
    'threads lookahead-threads sync-lookahead asm sliced-threads deterministic non-deterministic cpu-independent ' +
      'intra-refresh cabac constrained-intra interlaced tff bff weightb weight-b 8x8dct psy chroma-me mixed-refs ' +
      'fast-pskip dct-decimate mbtree nf psnr ssim aud global-header repeat-headers annexb force-cfr filler ' +
      'pic-struct fake-interlaced stitchable bluray-compat open-gop fullrange level level-idc avcintra-class ' +
      'avcintra-flavor sar overscan videoformat colorprim transfer alternative-transfer colormatrix chromaloc ' +
      'mastering-display cll fps ref frameref dpb-size keyint min-keyint keyint-min scenecut bframes b-adapt b-bias ' +
      'b-pyramid filter deblock slice-max-size slice-max-mbs slice-min-mbs slices slices-max cabac-idc cqm cqm4 cqm4i ' +
      'cqm4iy cqm4ic cqm4p cqm4py cqm4pc cqm8 cqm8i cqm8p log analyse partitions weightp direct direct-pred ' +
      'chroma-qp-offset me merange me-range mvrange mv-range mvrange-thread mv-range-thread subme subq psy-rd trellis ' +
      'deadzone-inter deadzone-intra nr bitrate qp crf crf-max rc-lookahead qpmin qp-min qpmax qp-max qpstep qp-step ' +
      'ratetol vbv-maxrate vbv-bufsize vbv-init ipratio ip-factor pbratio pb-factor aq-mode aq-strength qcomp qblur ' +
      'cplxblur cplx-blur zones crop-rect sps-id nal-hrd frame-packing',
  ),
  rules: new Map([
    ...ranges('threads lookahead-threads', 0, 128),
    ...values('cqm', /^(?:flat|jvt)$/, 'flat'),
    ...values('mastering-display', MASTERING, 'G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50)'),
    ...ranges('qp', 0, 81, X264_QP),
    ...ranges('crf crf-max', -12, 51, X264_QUALITY),
  ]),
  rejected: new Map([
    ...rejectedParams('stats', 'with the option "pass", the service keeps the log of both passes'),
    ...rejectedParams('pass', 'it is the option "pass" of the request'),
    ...rejectedParams('cqmfile', 'it names a file; "cqm4" and "cqm8" take the numbers'),
    ...rejectedParams('dump-yuv opencl-clbin'),
    ...rejectedParams('opencl opencl-device', 'it needs a hardware device, and conversions cannot use one'),
    ...rejectedParams('preset tune profile', 'it is an option of the request'),
  ]),
};
